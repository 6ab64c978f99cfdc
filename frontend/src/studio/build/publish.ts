import { LitElement } from "lit";
export class BuildPublish extends LitElement {}
