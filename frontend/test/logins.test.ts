import { expect, test } from "vitest";
import { stateOf } from "../src/logins/state";
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
