// The room Operate: versions, channels, look, tokens, dead letters, doctor, keys and backup.

import { StudioAsk } from "../ask";
import { register } from "../rooms";
import { StudioDifference } from "../versions/difference";
import { StudioAccessTokens } from "./access-tokens";
import { OperateBackup } from "./backup";
import { StudioChannels } from "./channels";
import { OperateDeadLetters } from "./dead-letters";
import { OperateDoctor } from "./doctor";
import { OperateKeys } from "./keys";
import { OperateLook } from "./look";
import { StudioNewToken } from "./new-token";
import { StudioOperate } from "./operate";
import { OperateVersions } from "./versions";

export function define(): void {
  register({
    "studio-ask": StudioAsk,
    "studio-new-token": StudioNewToken,
    "studio-access-tokens": StudioAccessTokens,
    "studio-channels": StudioChannels,
    "studio-difference": StudioDifference,
    "operate-versions": OperateVersions,
    "operate-look": OperateLook,
    "operate-dead-letters": OperateDeadLetters,
    "operate-doctor": OperateDoctor,
    "operate-keys": OperateKeys,
    "operate-backup": OperateBackup,
    "studio-operate": StudioOperate,
  });
}
