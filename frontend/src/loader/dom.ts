// Makes elements without a template: the loader brings no library.

type Attributes = Readonly<Record<string, string | EventListener>>;

/** Attributes that are functions are listeners. Children that are texts become text, never HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (typeof value === "string") made.setAttribute(key, value);
    else made.addEventListener(key, value);
  made.append(...children);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** Drawn as lines, by the styles. */
export function icon(path: string): SVGElement {
  const picture = document.createElementNS(SVG, "svg");
  const drawn = document.createElementNS(SVG, "path");
  picture.setAttribute("viewBox", "0 0 20 20");
  picture.ariaHidden = "true";
  drawn.setAttribute("d", path);
  picture.append(drawn);
  return picture;
}

export const BUBBLE = "M10 3.5c4 0 7 2.6 7 6s-3 6-7 6c-.8 0-1.6-.1-2.3-.3L4 16.5l.8-3C3.7 12.5 3 11.1 3 9.5c0-3.4 3-6 7-6Z";
export const CROSS = "m5 5 10 10M15 5 5 15";
