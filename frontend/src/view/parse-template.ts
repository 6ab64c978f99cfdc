// Parses the HTML of Lit's templates into nodes, without the browser's own parser: under `require-trusted-types-for 'script'`
// a page lets no text become HTML but by a policy, and under `trusted-types 'none'` there can be none. The build puts it into
// Lit (bundling/parse-templates.ts). It reads what templates are made of, and says what it cannot read.

/** Ends the name of an attribute into which Lit puts a value. Lit's own sign is none that `setAttribute` takes everywhere. */
export const BOUND = ".lit.";

const VOID = /^(?:br|col|hr|img|input|link|meta|source|track|wbr)$/;
/** Elements whose content is text alone. */
const RAW = /^(?:textarea|title)$/;
const SVG = "http://www.w3.org/2000/svg";
/** A comment, a place for a value, an end tag, a start tag with its attributes, or text. */
const NODE =
  /<!--([^]*?)-->|<(\?[^>]*)>|<\/([\w-]+)\s*>|<([a-zA-Z][\w-]*)((?:\s+[^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']*))?)*)\s*(\/?)>|([^<]+)/gy;
const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']*)))?/g;

/** Return a template element with the nodes of `text`. Throws where `text` is no well-formed template. */
export function parseTemplate(text: string): HTMLTemplateElement {
  const template = document.createElement("template");
  const nodes = template.content.ownerDocument;
  const open: (DocumentFragment | Element)[] = [template.content];
  NODE.lastIndex = 0;
  while (NODE.lastIndex < text.length) {
    const at = NODE.lastIndex;
    const [all, comment, place, end, start, attributes = "", closed, words] = NODE.exec(text) ?? [];
    const parent = open.at(-1);
    if (!all || !parent || words?.includes("&")) throw new SyntaxError(`No template: ${text.slice(at, at + 80)}`);
    if (words !== undefined) parent.append(words);
    else if (start !== undefined) {
      const inSvg = start === "svg" || (parent instanceof Element && parent.namespaceURI === SVG);
      const element = inSvg ? nodes.createElementNS(SVG, start) : nodes.createElement(start);
      setAttributes(element, attributes);
      parent.append(element);
      if (RAW.test(start)) NODE.lastIndex = fill(element, text, NODE.lastIndex);
      else if (!closed && !VOID.test(start)) open.push(element);
    } else if (end === undefined) parent.append(nodes.createComment(comment ?? place ?? ""));
    else if (open.length < 2 || (open.pop() as Element).localName !== end) throw new SyntaxError(`No template, </${end}> too many: ${text}`);
  }
  return template;
}

function setAttributes(element: Element, text: string): void {
  for (const [, name = "", ...values] of text.matchAll(ATTRIBUTE)) {
    // Lit knows the name of a bound attribute itself, by its place; as it is written (`@click`, `.value`) it may be no name.
    const safe = name.endsWith(BOUND) ? `b${element.attributes.length}${BOUND}` : name;
    element.setAttribute(safe, values.find((value) => value !== undefined) ?? "");
  }
}

/** Put the text up to the element's end tag into it; return the position behind that. */
function fill(element: Element, text: string, from: number): number {
  const end = `</${element.localName}>`;
  const at = text.indexOf(end, from);
  if (at < 0) throw new SyntaxError(`No template, ${end} is missing: ${text}`);
  element.append(text.slice(from, at));
  return at + end.length;
}
