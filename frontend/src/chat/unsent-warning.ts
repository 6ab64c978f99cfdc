// Has the browser ask before a page is left whose messages are still on their way: they are kept for this tab alone, since answers
// that are not shown must not lie on the disk, and would be gone with it.

export class UnsentWarning {
  #isOn = false;

  /** `isUnsent`: a message has not reached the service yet. */
  update(isUnsent: boolean): void {
    if (isUnsent === this.#isOn) return;
    this.#isOn = isUnsent;
    // A page with such a listener may not be kept for going back: it is there only while it is needed.
    if (isUnsent) addEventListener("beforeunload", ask);
    else removeEventListener("beforeunload", ask);
  }
}

function ask(event: Event): void {
  event.preventDefault();
}
