// Saving, merging and publishing of the bot's files, as every room does that edits them.

import type { LitElement } from "lit";
import type { Api } from "../api";
import { failureNotice } from "../notice";
import { register } from "../rooms";
import { saveOrMerge } from "../save-or-merge";
import { takeOver } from "../take-over";
import type { Workspace } from "../workspace";

/** A room that edits the files. */
export interface FilesHost extends LitElement {
  readonly api: Api;
  readonly workspace: Workspace;
  readonly bot: string;
}

/** Saves what is changed; where somebody else was faster, the author merges. Returns whether all is saved. */
export async function saveFiles(host: FilesHost): Promise<boolean> {
  const { workspace } = host;
  takeOver();
  if (!workspace.isChanged && !workspace.conflict) return true;
  try {
    return await saveOrMerge(workspace, host.renderRoot);
  } catch (error) {
    host.dispatchEvent(failureNotice(error));
    return false;
  }
}

/** Opens the dialog that shows the difference and the tests, and publishes. */
export async function openPublish(host: FilesHost): Promise<void> {
  takeOver();
  const { BuildPublish } = await import("./publish");
  register({ "build-publish": BuildPublish });
  host.renderRoot.querySelector("build-publish")?.remove();
  const dialog = document.createElement("build-publish") as InstanceType<typeof BuildPublish>;
  Object.assign(dialog, { api: host.api, workspace: host.workspace, bot: host.bot, save: async () => void (await saveFiles(host)) });
  host.renderRoot.append(dialog);
}
