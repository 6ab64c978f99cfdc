import { LitElement } from "lit";
export class JsonTextEvent extends Event {
  constructor(readonly text: string) { super("build-json-text"); }
}
export class BuildJson extends LitElement {}
