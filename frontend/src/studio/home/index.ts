// Home: the bots of this service.

import { register } from "../rooms";
import { StudioHome } from "./home";

export function define(): void {
  register({ "studio-home": StudioHome });
}
