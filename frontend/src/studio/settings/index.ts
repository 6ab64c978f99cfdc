// The room Settings: a bot's addresses, server access tokens and channels.

import { register } from "../rooms";
import { StudioAccessTokens } from "./access-tokens";
import { StudioChannels } from "./channels";
import { StudioNewToken } from "./new-token";
import { StudioSettings } from "./settings";

export function define(): void {
  register({
    "studio-new-token": StudioNewToken,
    "studio-access-tokens": StudioAccessTokens,
    "studio-channels": StudioChannels,
    "studio-settings": StudioSettings,
  });
}
