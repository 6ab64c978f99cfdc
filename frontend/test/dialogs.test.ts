import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { define } from "../src/dialogs";
import { dayOf } from "../src/dialogs/days";
import { DialoomLogin } from "../src/logins/card";
import type { Dialog } from "../src/protocol/wire";
import { all } from "./languages";
import type { ChooseEvent } from "../src/view/choose-event";

interface Panel extends HTMLElement {
  readonly updateComplete: Promise<unknown>;
}

let panel: Panel;
let chosen: ChooseEvent[];

beforeAll(() => {
  define();
  customElements.define("dialoom-login", DialoomLogin);
});
afterEach(() => {
  panel.remove();
  vi.unstubAllGlobals();
});

async function show(name: string, dialog: Partial<Dialog>, more: object = {}): Promise<void> {
  chosen = [];
  panel = document.createElement(`dialoom-${name}`) as Panel;
  const whole = { type: "single-select", title: "Choose", buttonText: "Submit", key: "7", options: [], ...dialog };
  Object.assign(panel, { dialog: whole, words: all.en, locale: "en-GB", ...more });
  panel.addEventListener("dialoom-choose", (event) => chosen.push(event as ChooseEvent));
  document.body.append(panel);
  await panel.updateComplete;
}

const root = () => panel.shadowRoot as ShadowRoot;
const find = <E extends HTMLElement = HTMLElement>(selector: string) => root().querySelector<E>(selector) as E;
const every = (selector: string) => [...root().querySelectorAll<HTMLElement>(selector)];
const rows = () => every("[role=option]").map((row) => row.querySelector("b")?.textContent);
const active = () => {
  const id = find("[aria-activedescendant]")?.getAttribute("aria-activedescendant");
  return id ? (find(`#${id}`)?.querySelector("b")?.textContent ?? id) : null;
};

async function press(on: HTMLElement, key: string, more: KeyboardEventInit = {}): Promise<void> {
  on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true, ...more }));
  await panel.updateComplete;
  await panel.updateComplete;
}

async function write(on: HTMLInputElement, text: string): Promise<void> {
  on.value = text;
  on.dispatchEvent(new Event("input"));
  await panel.updateComplete;
}

const options = (...titles: string[]) => titles.map((title, index) => ({ key: `7.${index}`, title, value: `v${index}` }));
const eight = options("Ärztin", "Auge", "Blut", "Brust", "Darm", "Haut", "Herz", "Zahn");

test("a short list has no search and is walked by keys", async () => {
  await show("select", { options: options("One", "Two", "Three") });
  expect(find("input")).toBeNull();
  const list = find("[role=listbox]");
  list.dispatchEvent(new FocusEvent("focus"));
  await panel.updateComplete;
  expect(active()).toBe("One");
  await press(list, "ArrowDown");
  expect(active()).toBe("Two");
  await press(list, "End");
  expect(active()).toBe("Three");
  await press(list, "ArrowDown");
  expect(active()).toBe("One");
  await press(list, "t");
  expect(active()).toBe("Two");
  await press(list, "t");
  expect(active()).toBe("Three");
  await press(list, "Home");
  await press(list, "Enter");
  expect(chosen[0]?.content).toEqual({ option: { key: "7.0" } });
  expect(chosen[0]?.shown).toBe("One");
  expect(chosen[0]?.isByKey).toBe(true);
});

test("from eight options on there is a search, and Enter takes what it found", async () => {
  await show("select", { options: eight });
  const input = find<HTMLInputElement>("input");
  await write(input, "arz");
  expect(rows()).toEqual(["Ärztin"]);
  expect(find("[role=status]").textContent).toBe("Found: 1");
  await press(input, "Enter");
  expect(chosen[0]?.content).toEqual({ option: { key: "7.0" } });
});

test("a search without a find says so", async () => {
  await show("select", { options: eight });
  await write(find<HTMLInputElement>("input"), "xyz");
  expect(rows()).toEqual([]);
  expect(find(".nothing").textContent).toBe("Nothing found");
});

test("single-select keeps one choice, its button submits it", async () => {
  await show("select", { options: options("One", "Two") });
  const submit = () => find<HTMLButtonElement>(".act");
  expect(submit().disabled).toBe(true);
  for (const row of every("[role=option]")) row.click();
  await panel.updateComplete;
  expect(every("[aria-selected=true]")).toHaveLength(1);
  submit().click();
  expect(chosen[0]?.content).toEqual({ option: { key: "7.1" } });
});

test("multi-select sends in the order shown and counts on its button", async () => {
  await show("select", { type: "multi-select", options: options("a", "b", "c") });
  const [first, , third] = every("[role=option]");
  third?.click();
  first?.click();
  await panel.updateComplete;
  expect(find(".count").textContent).toBe("2");
  find(".act").click();
  expect(chosen[0]?.content).toEqual({ option: { keys: ["7.0", "7.2"] } });
  expect(chosen[0]?.shown).toBe("a, c");
});

test("multi-select by keys: space marks, Enter with Ctrl sends", async () => {
  await show("select", { type: "multi-select", options: options("a", "b") });
  const list = find("[role=listbox]");
  await press(list, "ArrowDown");
  await press(list, " ");
  await press(list, "ArrowDown");
  await press(list, "Enter");
  expect(chosen).toEqual([]);
  await press(list, "Enter", { ctrlKey: true });
  expect(chosen[0]?.content).toEqual({ option: { keys: ["7.0", "7.1"] } });
});

test("options without keys travel as values", async () => {
  await show("select", { options: [{ title: "One", value: "v" }] });
  find("[role=option]").click();
  await panel.updateComplete;
  find(".act").click();
  expect(chosen[0]?.content).toEqual({ option: { value: "v" } });
});

test("of ten thousand options only those in sight are drawn, and the last is a key away", async () => {
  const many = options(...Array.from({ length: 10_000 }, (_, index) => `Option ${index + 1}`));
  await show("select", { options: many });
  expect(every("[role=option]").length).toBeLessThan(100);
  expect(find("[role=option]").getAttribute("aria-setsize")).toBe("10000");
  await press(find("input"), "End");
  expect(active()).toBe("option-9999");
  await write(find<HTMLInputElement>("input"), "9876");
  expect(rows()).toEqual(["Option 9876"]);
});

const day = (year: number, month: number, date: number) => dayOf(year, month, date) as number;
const now = { now: day(2026, 11, 21), at: day(2026, 11, 21) };

test("a day is chosen in the grid and sent with its asking", async () => {
  await show("date", { type: "date-picker" }, now);
  expect(find("[aria-current=date]").textContent?.trim()).toBe("21");
  expect(find("thead").textContent?.trim().startsWith("Mon")).toBe(true);
  find(`[data-day="${day(2026, 11, 25)}"]`).click();
  await panel.updateComplete;
  expect(find<HTMLInputElement>("input").value).toBe("25/11/2026");
  find(".act").click();
  expect(chosen[0]?.content).toEqual({ option: { value: "2026-11-25" }, ask: "7" });
  expect(chosen[0]?.shown).toBe("Wednesday, 25 November 2026");
});

test.each([
  ["ArrowRight", {}, "2026-11-22"],
  ["ArrowLeft", {}, "2026-11-20"],
  ["ArrowUp", {}, "2026-11-14"],
  ["ArrowDown", {}, "2026-11-28"],
  ["Home", {}, "2026-11-16"],
  ["End", {}, "2026-11-22"],
  ["PageUp", {}, "2026-10-21"],
  ["PageDown", {}, "2026-12-21"],
  ["PageDown", { shiftKey: true }, "2027-11-21"],
])("%s %o moves in the calendar", async (key, more, expected) => {
  await show("date", { type: "date-picker" }, now);
  const cell = () => find("td[tabindex='0']");
  await press(cell(), key, more);
  await press(cell(), "Enter");
  await press(cell(), "Enter");
  expect(chosen[0]?.content).toEqual({ option: { value: expected }, ask: "7" });
});

test("a typed day is read back, shown in the calendar and sent by Enter", async () => {
  await show("date", { type: "date-picker" }, now);
  const input = find<HTMLInputElement>("input");
  await write(input, "12 May 2030");
  expect(find("#said").textContent?.trim()).toBe("Sunday, 12 May 2030");
  expect(find(".month").textContent).toBe("May 2030");
  await press(input, "Enter");
  expect(chosen[0]?.content).toEqual({ option: { value: "2030-05-12" }, ask: "7" });
});

test("what is no date is called so when it was typed out, and is not sent", async () => {
  await show("date", { type: "date-picker" }, now);
  const input = find<HTMLInputElement>("input");
  await write(input, "31/4");
  expect(find("#said").classList.contains("wrong")).toBe(false);
  await press(input, "Enter");
  expect(find("#said").textContent).toContain("for example 21/11/2026");
  expect(chosen).toEqual([]);
});

test("the device's own position fills the fields", async () => {
  const coords = { latitude: 53.5436, longitude: 9.9673, accuracy: 24 };
  vi.stubGlobal("navigator", { languages: ["en-GB"], geolocation: { getCurrentPosition: (found: (at: object) => void) => found({ coords }) } });
  await show("location", { type: "location-picker" });
  find("button").click();
  await panel.updateComplete;
  expect(find(".back").textContent?.replace(/\s+/g, " ")).toContain("53.5436° north, 9.9673° east ± 24 m");
  find(".foot .act").click();
  expect(chosen[0]?.content).toEqual({ location: { latitude: 53.5436, longitude: 9.9673 }, ask: "7" });
});

test.each([
  [1, "does not let this page see your position"],
  [2, "could not be found"],
  [3, "could not be found"],
])("a position that fails with %i is explained", async (code, expected) => {
  const getCurrentPosition = (_found: unknown, failed: (error: object) => void) => failed({ code });
  vi.stubGlobal("navigator", { languages: ["en-GB"], geolocation: { getCurrentPosition } });
  await show("location", { type: "location-picker" });
  find("button").click();
  await panel.updateComplete;
  expect(find("[role=alert]").textContent).toContain(expected);
});

test("coordinates out of range are refused with the range", async () => {
  await show("location", { type: "location-picker" });
  const [latitude] = every("input") as HTMLInputElement[];
  await write(latitude as HTMLInputElement, "95");
  latitude?.dispatchEvent(new Event("change"));
  await panel.updateComplete;
  expect(latitude?.getAttribute("aria-invalid")).toBe("true");
  expect(find("#latitude-range").textContent?.replace(/[\u2066\u2069]/g, "")).toBe("From -90 to 90");
  expect(find<HTMLButtonElement>(".foot .act").disabled).toBe(true);
});

test("a card's button names its card and chooses it", async () => {
  await show("carousel", { type: "carousel", options: options("Dr. Haddad", "Dr. Tanaka") });
  const buttons = every("li button");
  expect(buttons[1]?.getAttribute("aria-labelledby")).toBe("pick-1 title-1");
  buttons[1]?.click();
  expect(chosen[0]?.content).toEqual({ option: { key: "7.1" } });
});

test("rows and cards show the marks of their titles; what is searched, named and sent has none", async () => {
  const marked = options("**Large** pizza", "a", "b", "c", "d", "e", "f", "g");
  const bold = () => every("b strong").map((one) => one.textContent);
  await show("select", { options: marked });
  expect(bold()).toEqual(["Large"]);
  await write(find<HTMLInputElement>(".search input"), "large pizza");
  expect(rows()).toEqual(["Large pizza"]);
  await press(find(".search input"), "Enter");
  find(".act").click();
  expect(chosen[0]?.shown).toBe("Large pizza");
  panel.remove();

  await show("carousel", { type: "carousel", options: marked });
  expect(bold()).toEqual(["Large"]);
  find("li button").click();
  expect(chosen[0]?.shown).toBe("Large pizza");
});

test("arrow keys walk from card to card", async () => {
  await show("carousel", { type: "carousel", options: options("a", "b", "c") });
  const buttons = every("li button");
  buttons[0]?.focus();
  await press(buttons[0] as HTMLElement, "ArrowRight");
  expect(root().activeElement).toBe(buttons[1]);
  await press(buttons[1] as HTMLElement, "End");
  expect(root().activeElement).toBe(buttons[2]);
});

test("a login's window keeps its opener, which it asks whose login it is, and the card waits for it", async () => {
  const opened = { closed: false, focus: vi.fn() };
  const open = vi.fn(() => opened);
  vi.stubGlobal("open", open);
  await show("login", { type: "login", url: "https://login.test/" });
  find("a").click();
  await panel.updateComplete;
  expect(open.mock.calls).toEqual([["https://login.test/", "_blank"]]);
  expect(find<HTMLAnchorElement>("a").rel).toBe("opener");
  expect(find(".waiting").textContent).toBe("Waiting for your login…");
  find("a").click();
  expect(open).toHaveBeenCalledOnce();
  expect(opened.focus).toHaveBeenCalledOnce();
});

test("a login's window that is closed again leaves the card as it was", async () => {
  vi.useFakeTimers();
  vi.spyOn(document, "hasFocus").mockReturnValue(true);
  const opened = { closed: false, focus: vi.fn() };
  vi.stubGlobal("open", () => opened);
  await show("login", { type: "login", url: "https://login.test/" });
  find("a").click();
  await vi.advanceTimersByTimeAsync(5000);
  expect(find(".waiting")).not.toBeNull();
  opened.closed = true;
  await vi.advanceTimersByTimeAsync(1000);
  await panel.updateComplete;
  expect(find(".waiting")).toBeNull();
  vi.useRealTimers();
});

test("a card that was out of the page meanwhile sees all the same that its window was closed", async () => {
  vi.useFakeTimers();
  vi.spyOn(document, "hasFocus").mockReturnValue(true);
  const opened = { closed: false, focus: vi.fn() };
  vi.stubGlobal("open", () => opened);
  await show("login", { type: "login", url: "https://login.test/" });
  find("a").click();
  panel.remove();
  opened.closed = true;
  await vi.advanceTimersByTimeAsync(2000);
  document.body.append(panel);
  await vi.advanceTimersByTimeAsync(1000);
  await panel.updateComplete;
  expect(find(".waiting")).toBeNull();
  panel.remove();
  await vi.advanceTimersByTimeAsync(600_000);
  document.body.append(panel);
  await panel.updateComplete;
  expect(root().textContent).toContain(all.en.loginOver);
  vi.useRealTimers();
});

test("where the browser lets no window be opened, a login is a plain link", async () => {
  vi.stubGlobal("open", () => null);
  await show("login", { type: "login", url: "https://login.test/" });
  let isFollowed = false;
  root().addEventListener("click", (event) => {
    isFollowed = !event.defaultPrevented;
    event.preventDefault();
  });
  find("a").click();
  expect(isFollowed).toBe(true);
  expect(find<HTMLAnchorElement>("a").target).toBe("_blank");
});

test("a card is over after ten minutes, however wrong this machine's clock is", async () => {
  vi.useFakeTimers();
  await show("login", { type: "login", url: "https://login.test/" });
  await vi.advanceTimersByTimeAsync(599_999);
  await panel.updateComplete;
  expect(find("a")).not.toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  await panel.updateComplete;
  expect(find("a")).toBeNull();
  expect(root().textContent).toContain(all.en.loginOver);
  vi.useRealTimers();
});

test("a card whose link was sent before is over with its link", async () => {
  vi.useFakeTimers();
  const minute = 60_000;
  for (const isOld of [false, true]) {
    const said = isOld ? Date.now() : Infinity;
    await show("login", { type: "login", url: "https://login.test/" }, { said, age: 7 * minute });
    await vi.advanceTimersByTimeAsync(3 * minute - 1);
    await panel.updateComplete;
    expect(find("a")).not.toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    await panel.updateComplete;
    expect(find("a")).toBeNull();
    panel.remove();
  }
  vi.useRealTimers();
});

test("where no window can be made to give up its opener, a login's has none", async () => {
  const open = vi.fn();
  vi.stubGlobal("open", open);
  await show("login", { type: "login", url: "http://login.test/" });
  expect(find<HTMLAnchorElement>("a").rel).toBe("noopener");
  let isFollowed = false;
  root().addEventListener("click", (event) => {
    isFollowed = !event.defaultPrevented;
    event.preventDefault();
  });
  find("a").click();
  await panel.updateComplete;
  expect(isFollowed).toBe(true);
  expect(open).not.toHaveBeenCalled();
  expect(find(".waiting")).not.toBeNull();
});

test("a login over https or on this machine has its opener", async () => {
  for (const service of ["https://login.test", "http://127.0.0.1:8080", "http://[::1]:8080", "http://bots.localhost", "http://localhost"]) {
    await show("login", { type: "login", url: `${service}/start` });
    expect(find<HTMLAnchorElement>("a").rel).toBe("opener");
    panel.remove();
  }
  for (const service of ["http://127.0.0.1.example", "http://localhost.example", "http://10.0.0.1"]) {
    await show("login", { type: "login", url: `${service}/start` });
    expect(find<HTMLAnchorElement>("a").rel).toBe("noopener");
    panel.remove();
  }
});

test("a card out of the history is as old as it says, and never from the future", async () => {
  vi.useFakeTimers();
  const minute = 60_000;
  await show("login", { type: "login", url: "https://login.test/" }, { said: Date.now() - 11 * minute });
  expect(find("a")).toBeNull();
  panel.remove();
  await show("login", { type: "login", url: "https://login.test/" }, { said: Date.now() - 9 * minute });
  expect(find("a")).not.toBeNull();
  panel.remove();
  for (const said of [Date.now() + 60 * minute, NaN]) {
    await show("login", { type: "login", url: "https://login.test/" }, { said });
    expect(find("a")).not.toBeNull();
    await vi.advanceTimersByTimeAsync(10 * minute);
    await panel.updateComplete;
    expect(find("a")).toBeNull();
    panel.remove();
  }
  vi.useRealTimers();
});

// -- days that are off

const visit = { type: "date-picker", min: "2030-01-02", max: "2030-01-31", off: ["saturday", "sunday", "2030-01-08"] };
const before = dayOf(2029, 11, 20);
const cell = (day: number) => find(`td[data-day="${dayOf(2030, 1, day)}"]`);

test("a date picker begins at the first day that it offers and says which days there are", async () => {
  await show("date", visit, { now: before, at: before });
  expect(find("[tabindex='0']").dataset.day).toBe(String(dayOf(2030, 1, 2)));
  expect(find("#said").textContent).toBe("From 2 January 2030 to 31 January 2030");
  expect(find<HTMLInputElement>("input").placeholder).toBe("DD/MM/YYYY");
});

test("a day that is off is named so and cannot be chosen", async () => {
  await show("date", visit, { now: before, at: before });
  expect(cell(8).getAttribute("aria-disabled")).toBe("true");
  expect(cell(8).getAttribute("aria-label")).toBe("Tuesday, 8 January 2030: not available");
  cell(8).click();
  await panel.updateComplete;
  expect(find("#said").textContent).toBe("Tuesday, 8 January 2030: not available");
  expect(find<HTMLButtonElement>(".foot .act").disabled).toBe(true);
  cell(9).click();
  await panel.updateComplete;
  find(".foot .act").click();
  expect(chosen[0]?.content).toEqual({ option: { value: "2030-01-09" }, ask: "7" });
});

test("a typed day that is off is told when the field is left", async () => {
  await show("date", visit, { now: before, at: before });
  const input = find<HTMLInputElement>("input");
  await write(input, "5/1/2030");
  input.dispatchEvent(new Event("change"));
  await panel.updateComplete;
  expect(find("#said").textContent).toBe("Saturday, 5 January 2030: not available");
  expect(input.getAttribute("aria-invalid")).toBe("true");
  await write(input, "5/3/2030");
  input.dispatchEvent(new Event("change"));
  await panel.updateComplete;
  expect(find("#said").textContent).toBe("From 2 January 2030 to 31 January 2030");
});

test("the keys stay within the days that are offered", async () => {
  await show("date", visit, { now: before, at: before });
  const grid = find("table");
  await press(grid, "ArrowLeft");
  expect(find("[tabindex='0']").dataset.day).toBe(String(dayOf(2030, 1, 2)));
  await press(grid, "PageDown");
  expect(find("[tabindex='0']").dataset.day).toBe(String(dayOf(2030, 1, 31)));
  expect(find("[aria-label='Next month']").getAttribute("aria-disabled")).toBe("true");
});

// -- places

const harbour = { latitude: 53.5436, longitude: 9.9673, name: "Harbour" };
const branches = [
  { key: "7.0", title: "Harbour", subtitle: "Hafenstraße 4", value: harbour },
  { key: "7.1", title: "Airport", value: { latitude: 53.6304, longitude: 9.9882, name: "Airport" } },
];

async function mark(at: number): Promise<void> {
  const radio = every("input[type=radio]")[at] as HTMLInputElement;
  radio.checked = true;
  radio.dispatchEvent(new Event("change"));
  await panel.updateComplete;
}

test("a place of the flow is read back and sent with its name", async () => {
  await show("location", { type: "location-picker", options: branches });
  expect(every(".spot b").map((title) => title.textContent)).toEqual(["Harbour", "Airport"]);
  expect(find("input[type=search]")).toBeNull();
  await mark(0);
  expect(find(".back").textContent?.replace(/\s+/g, " ").trim()).toBe("Harbour53.5436° north, 9.9673° east");
  find(".foot .act").click();
  expect(chosen[0]?.content).toEqual({ location: harbour, ask: "7" });
  expect(chosen[0]?.shown).toBe("Harbour");
});

test("coordinates that are typed over a place have no name any more", async () => {
  await show("location", { type: "location-picker", options: branches });
  await mark(0);
  await write(find<HTMLInputElement>("#latitude"), "50");
  find(".foot .act").click();
  expect(chosen[0]?.content).toEqual({ location: { latitude: 50, longitude: 9.9673 }, ask: "7" });
});

test("many places have a filter", async () => {
  const many = Array.from({ length: 60 }, (_, index) => ({ title: `Stop ${index}`, value: { latitude: 1, longitude: index } }));
  await show("location", { type: "location-picker", options: many });
  expect(every(".spot")).toHaveLength(50);
  await write(find<HTMLInputElement>("input[type=search]"), "stop 59");
  expect(every(".spot b").map((title) => title.textContent)).toEqual(["Stop 59"]);
});

const altona = { title: "Altona", subtitle: "Hamburg", latitude: 53.5527, longitude: 9.9352 };

test("a search asks once the words are whole, and says whose data it is", async () => {
  const asked: string[] = [];
  const look = async (query: string) => {
    asked.push(query);
    return { places: [altona], attribution: "© Somebody" };
  };
  await show("location", { type: "location-picker", search: true }, { find: look });
  const field = find<HTMLInputElement>("input[type=search]");
  await write(field, "Alt");
  await write(field, "Altona");
  expect(asked).toEqual([]);
  await press(field, "Enter");
  await vi.waitUntil(() => find(".spot"));
  expect(asked).toEqual(["Altona"]);
  expect(root().textContent).toContain("© Somebody");
  await mark(0);
  find(".foot .act").click();
  expect(chosen[0]?.content).toEqual({ location: { latitude: 53.5527, longitude: 9.9352, name: "Altona" }, ask: "7" });
});

test("a search that does not work says so, and one that finds nothing too", async () => {
  let answer: () => Promise<unknown> = () => Promise.reject(new TypeError("no net"));
  await show("location", { type: "location-picker", search: true }, { find: () => answer() });
  const field = find<HTMLInputElement>("input[type=search]");
  await write(field, "Altona");
  await press(field, "Enter");
  await vi.waitUntil(() => find(".wrong"));
  expect(find(".wrong").closest("[role=alert]")).not.toBeNull();
  answer = async () => ({ places: [], attribution: "" });
  await press(field, "Enter");
  await vi.waitUntil(() => root().textContent?.includes("Nothing found"));
});

test("a map is drawn from the operator's source alone", async () => {
  await show("location", { type: "location-picker", options: branches });
  await mark(0);
  expect(find(".map")).toBeNull();
  panel.remove();
  const map = { tiles: "https://tiles.test/{z}/{x}/{y}.png", attribution: "© Somebody" };
  await show("location", { type: "location-picker", options: branches, map });
  expect(find(".map")).toBeNull();
  await mark(0);
  const addresses = every(".map img").map((image) => image.getAttribute("src"));
  expect(addresses).toHaveLength(9);
  // The square of this point at zoom 15, by the formula of the OpenStreetMap wiki's page on slippy map tile names.
  expect(addresses[4]).toBe("https://tiles.test/15/17291/10591.png");
  expect(find("figcaption").textContent).toBe("© Somebody");
});

test("the question stands in the head of the sheet", async () => {
  const sheet = document.createElement("dialoom-sheet") as Panel;
  Object.assign(sheet, { dialog: { type: "date-picker", title: "Choose", options: [] }, question: "**When** do you come?", words: all.en });
  HTMLDialogElement.prototype.showModal ??= () => {};
  document.body.append(sheet);
  panel = sheet;
  await sheet.updateComplete;
  expect(find("h2").textContent).toBe("When do you come?");
});
