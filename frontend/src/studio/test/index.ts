// The room Test: scenarios by file, run, compared, edited as JSON.

import { register } from "../rooms";
import { StudioTest } from "./test";

export function define(): void {
  register({ "studio-test": StudioTest });
}
