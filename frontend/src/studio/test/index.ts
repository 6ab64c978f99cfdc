// The room Test: scenarios by file, run, compared, edited as JSON.

import { BuildJson } from "../build/json-editor";
import { register } from "../rooms";
import { StudioTest } from "./test";

export function define(): void {
  register({ "build-json": BuildJson, "studio-test": StudioTest });
}
