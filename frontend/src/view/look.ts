// Brings the look of a bot's author onto an element. A page's own custom properties (`--dialoom-brand`) win over it.

import type { Look } from "../protocol/wire";

export function applyLook(element: HTMLElement, { brand, background, font, radius }: Look): void {
  const values = { brand, background, font, radius: radius === undefined ? undefined : `${radius}px` };
  // What is no value leaves the property as it is.
  for (const [name, value] of Object.entries(values)) if (value) element.style.setProperty(`--look-${name}`, value);
}
