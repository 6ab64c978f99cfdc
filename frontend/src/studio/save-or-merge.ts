// Saves what is changed. Where somebody else changed the same files meanwhile, the author merges both by hand first.

import { register } from "./rooms";
import type { Workspace } from "./workspace";

/** Of each workspace the save that was begun last. */
const begun = new WeakMap<Workspace, Promise<boolean>>();

/** Saves once the save before is through or was refused, unless the author did not decide there. See `saved`. */
export function saveOrMerge(workspace: Workspace, place: ParentNode): Promise<boolean> {
  const before = begun.get(workspace);
  const done = before ? before.then((isSaved) => isSaved && saved(workspace, place), () => saved(workspace, place)) : saved(workspace, place);
  const forget = () => void (begun.get(workspace) === done && begun.delete(workspace));
  begun.set(workspace, done);
  done.then(forget, forget);
  return done;
}

/** Shows the merge view in `place` as often as somebody else was faster. Returns whether all is saved; false: the author did not decide.
 * Rejects with any other refusal; what was typed stays. */
async function saved(workspace: Workspace, place: ParentNode): Promise<boolean> {
  for (;;) {
    try {
      await workspace.save();
      return true;
    } catch (error) {
      if (!workspace.conflict) throw error;
    }
    const { BuildMerge } = await import("./build/merge");
    register({ "build-merge": BuildMerge });
    const merge = document.createElement("build-merge") as InstanceType<typeof BuildMerge>;
    Object.assign(merge, { base: workspace.saved, mine: workspace.files, theirs: workspace.conflict.files });
    place.append(merge);
    const files = await merge.ask();
    merge.remove();
    if (!files) return false;
    workspace.take(files);
  }
}
