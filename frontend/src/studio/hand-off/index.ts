// The room Hand-off: chats that wait for a person, and the chats that one has.

import { register } from "../rooms";
import { StudioHandOff } from "./hand-off";

export function define(): void {
  register({ "studio-hand-off": StudioHandOff });
}
