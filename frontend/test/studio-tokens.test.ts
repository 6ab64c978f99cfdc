import { expect, test } from "vitest";
import { embed, say } from "../src/studio/operate/snippets";
import { all, answers, asked, bot, calls, channel, CHANNELS, copied, find, open, press, refused, settle, words } from "./studio-page";

// -- tokens

test("no token is asked for before somebody wants to see it, and one at a time", async () => {
  await open();
  expect(calls().some((call) => call.includes("/show"))).toBe(false);
  await press("Show token report");
  expect(words()).toContain("dlm_report");
  await press("Hide token report");
  expect(words()).not.toContain("dlm_report");
});

test("copying asks for the token and says that it is done", async () => {
  await open();
  await press("Copy token report");
  expect(copied).toEqual(["dlm_report"]);
  expect(all("[role=status]").map((one) => one.textContent)).toContain("token report: copied");
  expect(words()).not.toContain("dlm_report");
});

test("where copying is refused by the service, its words are shown", async () => {
  answers["POST /bots/a/tokens/report/show"] = () => refused(404, "not-found", "There is no such token.");
  await open();
  await press("Copy token report");
  expect(copied).toEqual([]);
  expect(find(".notice p")?.textContent).toBe("There is no such token.");
});

test("revoking asks once, and keeping it does nothing", async () => {
  await open();
  await press("Revoke token report");
  expect(find("#ask")?.textContent).toBe("Revoke “report”?");
  await press("Keep it");
  expect(calls().some((call) => call.includes("/revoke"))).toBe(false);
  await press("Revoke token report");
  await press("Revoke");
  expect(calls()).toContain("POST /bots/a/tokens/report/revoke");
  expect(calls().filter((call) => call === "GET /bots/a").length).toBe(2);
  expect(find(".notice p")?.textContent).toBe("Token “report” is revoked.");
});

test("of a token in bot.json it is said that it comes back", async () => {
  await open();
  await press("Revoke token From bot.json");
  expect(words()).toContain("take it out there too");
});

test("the closing of one question, told late, leaves the next one standing", async () => {
  await open();
  await press("Revoke token report");
  find("dialog:has(#ask)")?.dispatchEvent(new Event("close"));
  await settle();
  expect(find("#ask")?.textContent).toBe("Revoke “report”?");
});

test("revoked tokens are out of the way until they are asked for", async () => {
  await open();
  expect(words()).not.toContain("gone");
  await press("Show revoked (1)");
  expect(words()).toContain("gone");
  expect(all("button").some((one) => /token gone/.test(one.getAttribute("aria-label") ?? ""))).toBe(false);
});

test("a bot without tokens says what one is for", async () => {
  await open("/studio/b/operate?tab=tokens");
  expect(words()).toContain("Make a token, and give it to the program that shall.");
});

test("a new token needs a name and a right, and is shown once it is made", async () => {
  await open();
  await press("New token");
  const make = () => all("button[type=submit]")[0] as HTMLButtonElement;
  expect(make().disabled).toBe(true);
  const field = find("studio-new-token input[type=text], input[type=text]") as HTMLInputElement;
  field.value = " Nightly ";
  field.dispatchEvent(new Event("input"));
  const [, erase] = all("input[type=checkbox]") as HTMLInputElement[];
  erase!.checked = true;
  erase!.dispatchEvent(new Event("change"));
  await settle();
  expect(make().disabled).toBe(false);
  all("form")[0]?.dispatchEvent(new Event("submit", { cancelable: true }));
  await settle();
  expect(asked.find(({ call }) => call === "POST /bots/a/tokens")?.body).toEqual({ name: "Nightly", scopes: ["read", "erase"] });
  expect(find(".token")?.textContent).toBe("dlm_new");
  await press("Done");
  expect(words()).not.toContain("dlm_new");
});

test("a token that could not be made says why and keeps what was typed", async () => {
  answers["POST /bots/a/tokens"] = () => refused(503, "store-away", "The store is away.");
  await open();
  await press("New token");
  const field = find("input[type=text]") as HTMLInputElement;
  field.value = "Nightly";
  field.dispatchEvent(new Event("input"));
  await settle();
  all("form")[0]?.dispatchEvent(new Event("submit", { cancelable: true }));
  await settle();
  expect(words()).toContain("The store is away.");
  expect((find("input[type=text]") as HTMLInputElement).value).toBe("Nightly");
});

test("arrow keys go from row to row and along it", async () => {
  await open();
  const buttons = () => all("td.acts-of").map((cell) => [...cell.children] as HTMLElement[]);
  const [first, second] = buttons();
  const step = (from: HTMLElement | undefined, key: string) => from?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const focused: HTMLElement[] = [];
  for (const one of [...first!, ...second!]) one.focus = () => void focused.push(one);
  step(first![0], "ArrowDown");
  step(second![0], "ArrowRight");
  step(second![1], "ArrowUp");
  step(first![2], "End");
  step(second![2], "ArrowDown");
  expect(focused).toEqual([second![0], second![1], first![1], second![2]]);
});

// -- channels

test("each channel says where it is reached", async () => {
  await open(CHANNELS);
  const channels = all("article").map((one) => one.textContent?.replace(/\s+/g, " ") ?? "");
  expect(channels[0]).toContain("Chat page https://bots.test/web");
  expect(channels[1]).toContain("POST https://bots.test/rest");
  expect(channels[1]).toContain("curl -X POST 'https://bots.test/rest'");
  expect(channels[2]).toContain("Webhook https://bots.test/messenger-3");
});

test("the widget's line is copied with its token, which the page does not hold before", async () => {
  await open(CHANNELS);
  expect(words()).toContain('data-token="••••••••"');
  await press(/^Copy the line for your page/);
  expect(copied[0]).toBe(embed(bot("a"), channel("web") as never, "dlc_web"));
  expect(words()).not.toContain("dlc_web");
  await press("Show token first:web of web");
  expect(words()).toContain('data-token="dlc_web"');
});

test("whoever pins the widget's script is told where its integrity value stands", async () => {
  await open(CHANNELS);
  expect(find('a[href$="/static/widget.json"]')?.getAttribute("href")).toBe(`${bot("a").service}/static/widget.json`);
});

test("texts for other programs are written so that nothing in them breaks out", () => {
  expect(embed(bot("a"), channel("web") as never, '"><script>')).toContain('data-token="&#34;&#62;&#60;script&#62;"');
  expect(say(channel("rest", { address: "https://b.test/it's" }) as never)).toContain("'https://b.test/it'\\''s'");
});
