// Build: the flow as an outline, a form, JSON and a map; findings, saving, publishing.

import { register } from "../rooms";
import { StudioBuild } from "./build";
import { BuildConversationDialog } from "./conversation-dialog";
import { BuildForm } from "./form";
import { BuildOutline } from "./outline";
import { BuildTemplate } from "./template-field";

export function define(): void {
  register({
    "studio-build": StudioBuild,
    "build-outline": BuildOutline,
    "build-form": BuildForm,
    "build-template": BuildTemplate,
    "build-conversation-dialog": BuildConversationDialog,
  });
}
