// Copies a text to the clipboard, also one that is still being loaded, and also where the browser gives pages no clipboard: it
// gives one only on https and on this machine.

import { words } from "./words";

export async function copy(text: string | Promise<string>, near: ParentNode): Promise<void> {
  const given = Promise.resolve(text);
  try {
    // Safari takes only what was promised while the click lasted.
    const blob = given.then((value) => new Blob([value], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
  } catch {
    // What was promised may itself have failed: that is then the error.
    if (!byHand(await given, near)) throw new Error(words.cannotCopy);
  }
}

/** `near`: an open dialog makes everything outside of it deaf, so that the field must stand inside. */
function byHand(text: string, near: ParentNode): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  Object.assign(field.style, { position: "fixed", opacity: "0", insetBlockStart: "0" });
  near.append(field);
  field.select();
  const isDone = document.execCommand?.("copy") ?? false;
  field.remove();
  return isDone;
}
