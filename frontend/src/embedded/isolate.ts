// Makes the page behind a window that is the whole screen inert: no focus, no scrolling, nothing for screen readers.

/** Returns what gives the page back as it was. */
export function isolate(host: HTMLElement): () => void {
  const made: Element[] = [];
  for (let within: Element = host; within.parentElement; within = within.parentElement)
    for (const beside of within.parentElement.children)
      if (beside !== within && beside instanceof HTMLElement && !beside.inert && beside !== document.head) {
        beside.inert = true;
        made.push(beside);
      }
  const { style } = document.documentElement;
  const before = style.overflow;
  style.overflow = "hidden";
  return () => {
    for (const one of made) (one as HTMLElement).inert = false;
    style.overflow = before;
  };
}
