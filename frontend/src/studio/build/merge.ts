import { LitElement } from "lit";
import type { Files } from "../workspace";
export class BuildMerge extends LitElement { async ask(): Promise<Files | null> { return null; } }
