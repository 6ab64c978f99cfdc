import { expect, test } from "vitest";
import { linkAge, stateOf } from "../src/logins/state";
import { type Message, readMessage } from "../src/protocol/wire";

let position = 0;
function said(more: object = {}): Message {
  position += 1;
  return readMessage({ id: `m${position}`, position, from: "bot", type: "text", text: "x", createdAt: "", ...more }) as Message;
}
const prompt = (key: string) => said({ dialog: { type: "login", title: "Log in", key, url: "https://login.test/" } });
const welcome = () => said({ loggedIn: true });

const states = (...messages: readonly Message[]) =>
  messages.filter((message) => message.dialog).map((message) => stateOf(message, messages));

test("a card can be used, whatever is said after it", () => {
  expect(states(prompt("a"), said(), said({ from: "user" }))).toEqual(["open"]);
});

test("the first message after the login closes the card above it", () => {
  expect(states(prompt("a"), said(), welcome(), said())).toEqual(["through"]);
});

test("a login that no card asked for closes none that comes later", () => {
  expect(states(welcome(), prompt("a"))).toEqual(["open"]);
});

test("of two cards with one link the later is the one to use", () => {
  expect(states(prompt("a"), said(), prompt("a"))).toEqual(["again", "open"]);
});

test("a newer link makes the one before useless", () => {
  expect(states(prompt("a"), prompt("b"))).toEqual(["over", "open"]);
});

test("after a logout a login is asked for anew, and the old card keeps its tick", () => {
  expect(states(prompt("a"), welcome(), prompt("b"), welcome())).toEqual(["through", "through"]);
});

test("a link that was sent again is as old as its first card", () => {
  const at = (minute: number, key: string) =>
    said({ createdAt: `2026-11-21T10:0${minute}:00Z`, dialog: { type: "login", title: "Log in", key } });
  const messages = [at(0, "a"), at(1, "b"), at(4, "b"), at(9, "b")];
  expect(messages.map((message) => linkAge(message, messages) / 60_000)).toEqual([0, 0, 3, 8]);
});

test("a card that says no time counts from when it is seen", () => {
  const [first, again] = [prompt("a"), prompt("a")];
  expect(linkAge(again, [first, again])).toBe(0);
});
