// Home: the bots of this service, how each stands, and the way to a new one.

import { register } from "../rooms";
import { StudioHome } from "./home";
import { StudioNewBot } from "./new-bot";

export function define(): void {
  register({ "studio-new-bot": StudioNewBot, "studio-home": StudioHome });
}
