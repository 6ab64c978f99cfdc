import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { DialoomPicker, define } from "../src/picker/dialoom-picker";

let picker: DialoomPicker;
let answers: Record<string, Response | (() => Response)>;
let sent: unknown[];

beforeAll(define);

beforeEach(() => {
  sent = [];
  const options = [{ key: "3.0", title: "One", value: "1" }, { key: "3.1", title: "Two", value: "2" }];
  const dialog = { type: "single-select", title: "Choose", buttonText: "Take it", key: "3", options };
  const bot = { id: "b", name: "Clinic", avatarUrl: null, language: "en" };
  answers = {
    "GET /pick/t/question": () => Response.json({ bot, text: "**Which** one?", dialog, locale: "en-GB" }),
    "POST /pick/t": () => Response.json({ back: null }),
  };
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (init.body) sent.push(JSON.parse(String(init.body)));
    const found = answers[`${init.method} ${url}`];
    return typeof found === "function" ? found() : found?.clone();
  });
});

afterEach(() => {
  picker.remove();
  vi.unstubAllGlobals();
});

const refused = (status: number) => Response.json({ status, detail: "No." }, { status });
const find = (selector: string) => picker.renderRoot.querySelector<HTMLElement>(selector);

async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  await picker.updateComplete;
}

async function show(back = ""): Promise<void> {
  picker = Object.assign(new DialoomPicker(), { address: "/pick/t", back });
  picker.innerHTML = '<p class="text">**Which** one?</p>';
  document.body.append(picker);
  await settle();
}

async function choose(): Promise<void> {
  const select = find("dialoom-select") as HTMLElement & { updateComplete: Promise<unknown> };
  select.shadowRoot?.querySelectorAll<HTMLElement>("[role=option]")[1]?.click();
  await select.updateComplete;
  select.shadowRoot?.querySelector<HTMLElement>(".act")?.click();
  await settle();
}

test("the question stands with its dialog, and the answer leads back to the chat", async () => {
  await show("https://chat.test/");
  expect(find("[part=text] strong")?.textContent).toBe("Which");
  await choose();
  expect(sent).toEqual([{ option: { key: "3.1" } }]);
  expect(find(".end p")?.textContent).toBe("Thank you, your answer has arrived.");
  expect(find("a.go")?.getAttribute("href")).toBe("https://chat.test/");
});

test("the question that the page brought stands while the rest is loaded", async () => {
  answers["GET /pick/t/question"] = () => new Promise(() => undefined) as unknown as Response;
  await show();
  expect(find("[part=text]")?.textContent).toBe("Which one?");
  expect(find("dialoom-select")).toBeNull();
});

test("without an address of the chat there is no link", async () => {
  await show();
  await choose();
  expect(find(".end")).not.toBeNull();
  expect(find("a.go")).toBeNull();
});

test.each([410, 404])("a question that is over says so (%i)", async (status) => {
  answers["GET /pick/t/question"] = refused(status);
  await show();
  expect(find(".end p")?.textContent).toContain("no longer open");
});

test.each([
  ["https://t.me/tea_bot?start=login", true],
  ["viber://pa?chatURI=tea&context=login", true],
  ["javascript:alert(1)", false],
  ["/chat", false],
])("a question that is over leads back to the chat, and nowhere else: %s", async (back, leads) => {
  answers["GET /pick/t/question"] = refused(410);
  await show(back);
  expect(find("a.go")?.getAttribute("href") ?? null).toBe(leads ? back : null);
});

test("an answer that comes too late says so", async () => {
  answers["POST /pick/t"] = refused(410);
  await show();
  await choose();
  expect(find(".end p")?.textContent).toContain("no longer open");
});

test("an answer that did not get through can be sent again", async () => {
  answers["POST /pick/t"] = refused(503);
  await show();
  await choose();
  expect(find("[role=alert]")?.textContent).toContain("Not sent");
  answers["POST /pick/t"] = () => Response.json({ back: null });
  await choose();
  expect(find(".end p")?.textContent).toContain("has arrived");
});

test("a question that cannot be loaded offers to try again", async () => {
  const question = answers["GET /pick/t/question"] as () => Response;
  answers["GET /pick/t/question"] = refused(503);
  await show();
  expect(find(".end [role=alert]")?.textContent).toBe("This could not be loaded.");
  answers["GET /pick/t/question"] = question;
  find("button.go")?.click();
  await settle();
  expect(find("dialoom-select")).not.toBeNull();
});
