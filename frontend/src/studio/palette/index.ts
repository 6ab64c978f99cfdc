// The palette: finds rooms, bots, commands and the parts of a flow by a few letters.

import { register } from "../rooms";
import { StudioPalette } from "./palette";

export function define(): void {
  register({ "studio-palette": StudioPalette });
}
