// The room People: who is in the studio, links that invite, and what was done.

import { register } from "../rooms";
import { StudioPeople } from "./people";

export function define(): void {
  register({ "studio-people": StudioPeople });
}
