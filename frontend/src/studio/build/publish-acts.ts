// What stands in the head of the rooms that edit files: how much is not published, and the button that publishes.

import { html, nothing, type TemplateResult } from "lit";
import { words as common } from "../words";
import type { Workspace } from "../workspace";
import { words } from "./words";

export function publishActs(workspace: Workspace, publish: () => unknown): TemplateResult {
  const { unpublished, isChanged, errors } = workspace;
  // What is typed is counted a moment later.
  const isSame = !unpublished && !isChanged;
  const title = errors ? words.mendFirst(errors) : isSame ? words.nothingToPublish : common.goesLive;
  return html`${unpublished ? html`<span class="unpublished" title=${common.goesLive}>${common.unpublished(unpublished)}</span>` : nothing}
    <button type="button" class="button ${errors || isSame ? "" : "main"}" title=${title} ?disabled=${errors > 0} @click=${publish}>${words.publish}</button>`;
}
