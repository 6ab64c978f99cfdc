import { LitElement } from "lit";
export class BuildMap extends LitElement {}
