import { html, render } from "lit";
import { expect, test, vi } from "vitest";
import { isLong, markdown, plain, title } from "../src/view/markdown";

/** The elements that a text becomes, without the comments that Lit puts between them. */
function drawn(text: string): HTMLElement {
  const place = document.createElement("div");
  render(html`${markdown(text)}`, place);
  return place;
}

function markup(text: string): string {
  return drawn(text).innerHTML.replace(/<!--.*?-->/g, "").replace(/\s+/g, " ").trim();
}

test("paragraphs, emphasis and code become elements", () => {
  expect(markup("a **b** *c* ~~d~~ `e`\n\nf")).toBe(
    '<p dir="auto">a <strong>b</strong> <em>c</em> <del>d</del> <code>e</code></p><p dir="auto">f</p>',
  );
});

test("a line break in a message is one", () => {
  expect(markup("a\nb")).toBe('<p dir="auto">a<br>b</p>');
  expect(markup("a<br/>b")).toBe('<p dir="auto">a<br>b</p>');
});

test("lists nest, count from their start and show their boxes", () => {
  expect(markup("3. a\n   - b")).toBe('<ol dir="auto" start="3"><li>a<ul dir="auto"><li>b</li></ul></li></ol>');
  expect(markup("- [x] a\n- [ ] b")).toBe('<ul dir="auto"><li>☑ a</li><li>☐ b</li></ul>');
});

test("a table keeps its alignment", () => {
  const cells = drawn("| a | b |\n|---|--:|\n| 1 | **2** |").querySelectorAll("td");
  expect([...cells].map((cell) => [cell.dataset.align, cell.textContent])).toEqual([["start", "1"], ["right", "2"]]);
});

test("a heading is a line in bold and no part of the page's outline", () => {
  expect(drawn("# Title").querySelector("h1")).toBeNull();
  expect(markup("# Title")).toBe('<p class="heading" dir="auto">Title</p>');
});

test("HTML in a text is shown as the text that it is", () => {
  for (const attack of [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "<svg/onload=alert(1)>",
    "a <b onclick=alert(1)>b</b>",
    "<iframe src=https://x.test></iframe>",
    "<style>*{display:none}</style>",
    "<!-- --><a href='javascript:alert(1)'>x</a>",
    "`<img src=x onerror=alert(1)>`",
    "```\n</code><script>alert(1)</script>\n```",
    "| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |",
    "[<img src=x onerror=alert(1)>](https://x.test)",
    "![\"><script>alert(1)</script>](https://x.test/a.png)",
  ]) {
    const place = drawn(attack);
    expect(place.querySelector("script, iframe, style, svg, b, [onerror], [onclick], [onload]"), attack).toBeNull();
  }
});

test("links lead to http, https, mailto and tel, in a window that knows nothing of this one", () => {
  for (const [address, target] of [
    ["https://example.org/a", "https://example.org/a"],
    ["http://example.org/", "http://example.org/"],
    ["mailto:a@example.org", "mailto:a@example.org"],
    ["tel:+4930123", "tel:+4930123"],
  ]) {
    const link = drawn(`[x](${address})`).querySelector("a");
    expect(link?.getAttribute("href")).toBe(target);
    expect(link?.getAttribute("rel")).toBe("noopener noreferrer");
    expect(link?.getAttribute("target")).toBe("_blank");
  }
});

test("a link to anything else is its text alone", () => {
  for (const address of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java&#x73;cript:alert(1)",
    "&#106;avascript:alert(1)",
    "%6aavascript:alert(1)%0a:",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "blob:https://x.test/1",
  ]) {
    const links = [...drawn(`[click](${address})`).querySelectorAll("a")];
    for (const link of links) expect(new URL(link.href).protocol, address).toMatch(/^(https?|mailto|tel):$/);
  }
  expect(drawn("[click](<java\tscript:alert(1)>)").querySelector("a")).toBeNull();
  expect(drawn("<javascript:alert(1)>").querySelector("a")).toBeNull();
});

test("addresses written out are links", () => {
  const links = [...drawn("See https://example.org/x?a=1&b=2 or mail a@example.org").querySelectorAll("a")];
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["https://example.org/x?a=1&b=2", "mailto:a@example.org"]);
});

test("a bare address ends before a quote or a bracket that closes around it", () => {
  for (const [text, address] of [
    ["(see https://example.org/a)", "https://example.org/a"],
    ["[https://example.org/a]", "https://example.org/a"],
    ["\u201chttps://example.org/a\u201d, he said", "https://example.org/a"],
    ["\u00abhttps://example.org/a\u00bb", "https://example.org/a"],
    ['"https://example.org/a".', "https://example.org/a"],
    ['{"url": "https://example.org/a", "b": 1}', "https://example.org/a"],
    ["https://example.org/a_(b) and", "https://example.org/a_(b)"],
  ] as const) {
    const [found, ...others] = drawn(text).querySelectorAll("a");
    expect(others).toEqual([]);
    expect([text, found?.getAttribute("href")]).toEqual([text, address]);
    expect(drawn(text).textContent?.trim()).toBe(text);
  }
});

test("images come over https or from the page itself, and tell nobody where they are shown", () => {
  const image = drawn("![A lamp](https://x.test/a.png)").querySelector("img");
  expect(image?.getAttribute("src")).toBe("https://x.test/a.png");
  expect(image?.getAttribute("alt")).toBe("A lamp");
  expect(image?.getAttribute("referrerpolicy")).toBe("no-referrer");
  for (const address of ["http://x.test/a.png", "data:image/svg+xml,<svg/>", "javascript:alert(1)"])
    expect(drawn(`![A lamp](${address})`).querySelector("img"), address).toBeNull();
  expect(drawn("![A lamp](http://x.test/a.png)").textContent).toContain("A lamp");
});

test("character references are resolved once", () => {
  expect(drawn("a &amp; b &lt;c&gt; &#8364; &#x41; &amp;lt; &nosuch;").textContent?.trim()).toBe("a & b <c> € A &lt; &nosuch;");
  expect(drawn("&#0; &#xD800;").textContent?.trim()).toBe("\uFFFD \uFFFD");
});

test("code keeps its references as they are written", () => {
  expect(drawn("`&amp;`").textContent).toBe("&amp;");
});

test("a text made to go too deep is shown and breaks nothing", () => {
  for (const text of [">".repeat(20_000), "- ".repeat(3000), "*".repeat(5000), `${"[".repeat(3000)}a${"](b)".repeat(3000)}`]) {
    expect(drawn(text).childNodes.length).toBeGreaterThan(0);
  }
});

test("a label is the text without its marks", () => {
  expect(plain("**Tuesday** at `10:00` &amp; [later](https://x.test)")).toBe("Tuesday at 10:00 & later");
  expect(plain("1. one\n2. two")).toBe("1. one 2. two");
  expect(plain("Dr. Who")).toBe("Dr. Who");
});

test("a title shows its marks, and has no link and no picture in it", () => {
  const box = document.createElement("div");
  render(title("1. **Large _very_** *extra* ~~dear~~ `hot` [more](https://x.test) ![A lamp](https://x.test/a.png) https://y.test 3 * 4"), box);
  expect(box.textContent).toBe("1. Large very extra dear hot more A lamp https://y.test 3 * 4");
  expect([...box.querySelectorAll("*")].map((one) => one.localName)).toEqual(["strong", "em", "em", "del", "code"]);
});

test("a title of thousands of nested marks is shown as far as it is read", () => {
  const box = document.createElement("div");
  render(title(`${"**_".repeat(40)}x${"_**".repeat(40)}`), box);
  expect(box.textContent).toContain("x");
});

test("long texts and blocks take the whole column", () => {
  expect(isLong("Hello")).toBe(false);
  expect(isLong("a ".repeat(300))).toBe(true);
  expect(isLong("| a |\n|---|\n| b |")).toBe(true);
});

test.each(["Hello", "One line\nand another.", "A paragraph.\n\nAnother\n\n\nand a third.", "3 pm, or (perhaps) 5 % later; \"why\"? 1.5", "مرحبا\nبك"])(
  "a text without Markdown is drawn without the lexer as it is with it: %s",
  async (text) => {
    vi.resetModules();
    const fresh = await import("../src/view/markdown");
    expect(fresh.needsLexer(text)).toBe(false);
    const shown = (content: unknown) => {
      const place = document.createElement("div");
      render(html`${content}`, place);
      return place.innerHTML.replace(/<!--.*?-->/g, "");
    };
    expect(shown(fresh.markdown(text))).toBe(shown(markdown(text)));
    expect(shown(fresh.title(text))).toBe(shown(title(text)));
  },
);

test("a text with Markdown waits for the lexer, and is shown as written where that does not come", async () => {
  vi.resetModules();
  const fresh = await import("../src/view/markdown");
  const texts = ["a **b**", "- a", "1. a", "https://x.example", "a@x.example", "# a", "a | b\n:-|-", "a\n===", "    a", "&amp;", "<b>", "a\\*"];
  expect(texts.filter((text) => !fresh.needsLexer(text))).toEqual([]);
  expect(fresh.plain("a **b**")).toBe("a **b**");
  await fresh.loadLexer();
  expect(texts.filter((text) => fresh.needsLexer(text))).toEqual([]);
  expect(fresh.plain("a **b**")).toBe("a b");
});
