import { expect, test } from "vitest";
import { chat, inside, service, settle, show } from "./element-page";

const rating = () => inside("dialoom-rating");
const isAsked = () => chat.renderRoot.querySelector("dialoom-rating") !== null;
const scores = () => [...rating().querySelectorAll<HTMLInputElement>("input")];
const button = () => rating().querySelector<HTMLButtonElement>("button");

async function ended(): Promise<void> {
  service.say("Here is your tea.");
  service.ended = "c1";
  service.type(false);
  await settle();
}

async function give(score: number, comment = ""): Promise<void> {
  scores()[score - 1]?.click();
  await settle();
  const field = rating().querySelector("textarea");
  if (field) field.value = comment;
  button()?.click();
  await settle();
}

test("a conversation that ends is said to have ended and may be rated, with words or without", async () => {
  await show();
  expect(isAsked()).toBe(false);
  await ended();
  expect(rating().textContent).toContain("This conversation has ended.");
  expect(rating().querySelector("[role=radiogroup]")?.getAttribute("aria-labelledby")).toBe(rating().querySelector("legend")?.id);
  expect(scores().map((one) => one.getAttribute("aria-label"))).toEqual(["1 of 5", "2 of 5", "3 of 5", "4 of 5", "5 of 5"]);
  expect(button()).toBeNull();
  await give(4, " Quick and kind ");
  expect(service.ratings).toEqual([{ conversation: "c1", score: 4, comment: "Quick and kind" }]);
  expect(rating().textContent).toContain("Thank you!");
  expect(scores()).toEqual([]);
});

test("what was said next takes the question away, and the end of the next conversation asks anew", async () => {
  await show();
  await ended();
  await give(2);
  expect(service.ratings).toEqual([{ conversation: "c1", score: 2 }]);
  service.ended = "";
  service.say("Anything else?");
  await settle();
  expect(isAsked()).toBe(false);
  service.ended = "c2";
  service.type(false);
  await settle();
  expect(scores().map((one) => one.checked)).toEqual([false, false, false, false, false]);
});

test("a rating that is not kept says so and can be given again; a break in the connection leaves it as it is", async () => {
  service.say("Here is your tea.");
  service.ended = "c1";
  await show();
  service.broken.rating = 503;
  await give(5, "Good");
  expect(rating().querySelector("[role=alert]")?.textContent).toBe("Not sent");
  expect(service.ratings).toEqual([]);
  service.hangUp();
  await settle(3000);
  service.broken = {};
  button()?.click();
  await settle();
  expect(service.ratings).toEqual([{ conversation: "c1", score: 5, comment: "Good" }]);
});
