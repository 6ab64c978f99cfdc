import { expect, test } from "vitest";
import { readLatitude, readLongitude, readPair } from "../src/dialogs/coordinates";
import { inWords } from "../src/view/coordinate-words";
import { all } from "./languages";

const { en } = all;

test.each([
  ["52.52", 52.52],
  ["52,52", 52.52],
  [" -33.9 ", -33.9],
  ["−33.9", -33.9],
  ["33.9 S", -33.9],
  ["52° 30′ N", 52.5],
  [`52°30'36"N`, 52.51],
  ["N 52.5°", 52.5],
  ["٥٢٫٥", 52.5],
  ["90", 90],
])("%s is a latitude", (text, expected) => {
  expect(readLatitude(text)).toBeCloseTo(expected, 6);
});

test.each(["", "95", "north", "52.5 E", "1 2", "--5", "5-"])("%s is none", (text) => {
  expect(readLatitude(text)).toBeNull();
});

test("a longitude goes to 180, east and west", () => {
  expect(readLongitude("179.5 W", "en")).toBe(-179.5);
  expect(readLongitude("181", "en")).toBeNull();
});

test("O is the east or the west, by language, and else nothing", () => {
  expect(readLongitude("13,4 O", "de-AT")).toBe(13.4);
  expect(readLongitude("2,35° O", "fr")).toBe(-2.35);
  expect(readLongitude("13.4 O", "en")).toBeNull();
});

test.each([
  ["52.52, 13.405", "52.52", "13.405"],
  ["52,52; 13,405", "52,52", "13,405"],
  ["-33.86 151.2", "-33.86", "151.2"],
  [`52°31'12"N 13°24'18"E`, `52°31'12"N`, `13°24'18"E`],
])("the pair %s is taken apart", (text, latitude, longitude) => {
  expect(readPair(text)).toEqual([latitude, longitude]);
  expect(readLatitude(latitude)).not.toBeNull();
  expect(readLongitude(longitude, "en")).not.toBeNull();
});

test("one number is no pair", () => {
  expect(readPair("52.52")).toBeNull();
  expect(readPair("52,52")).toBeNull();
});

test("a place is read back in words", () => {
  expect(inWords(52.52, -13.405, en, "en")).toBe("52.5200° north, 13.4050° west");
  expect(inWords(-33.8688, 151.2093, { ...en, south: "{n}° Süd" }, "de")).toContain("33,8688° Süd");
});
