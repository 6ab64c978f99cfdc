// Many fields are taken over when they are left. What saves or asks for what is changed has the open one taken over first.

/** Leaves the field that is open, and comes back. */
export function takeOver(): void {
  let field = document.activeElement;
  while (field?.shadowRoot?.activeElement) field = field.shadowRoot.activeElement;
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return;
  field.blur();
  field.focus();
}
