// Saving, merging and publishing of the bot's files, as every room does that edits them.

import type { LitElement } from "lit";
import type { Api } from "../api";
import { failureNotice } from "../notice";
import { register } from "../rooms";
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
  if (!workspace.isChanged || workspace.isSaving) return !workspace.isChanged;
  try {
    await workspace.save();
    return true;
  } catch (error) {
    if (workspace.conflict) return mergeFiles(host);
    host.dispatchEvent(failureNotice(error));
    return false;
  }
}

/** Lets the author choose between their changes and those of somebody else, then saves. Returns whether it is done. */
export async function mergeFiles(host: FilesHost): Promise<boolean> {
  const { conflict, saved, files } = host.workspace;
  if (!conflict) return false;
  const { BuildMerge } = await import("./merge");
  register({ "build-merge": BuildMerge });
  const merge = document.createElement("build-merge") as InstanceType<typeof BuildMerge>;
  Object.assign(merge, { base: saved, mine: files, theirs: conflict.files });
  host.renderRoot.append(merge);
  const merged = await merge.ask();
  merge.remove();
  if (!merged) return false;
  host.workspace.take(merged);
  return saveFiles(host);
}

/** Opens the dialog that shows the difference and the tests, and publishes. */
export async function openPublish(host: FilesHost): Promise<void> {
  const { BuildPublish } = await import("./publish");
  register({ "build-publish": BuildPublish });
  host.renderRoot.querySelector("build-publish")?.remove();
  const dialog = document.createElement("build-publish") as InstanceType<typeof BuildPublish>;
  Object.assign(dialog, { api: host.api, workspace: host.workspace, bot: host.bot, save: async () => void (await saveFiles(host)) });
  host.renderRoot.append(dialog);
}
