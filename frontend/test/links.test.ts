import { expect, test } from "vitest";
import { imageSource } from "../src/view/links";

test("a page of this machine shows images of its other services, and no page of elsewhere does", () => {
  const image = "http://127.0.0.1:8090/images/mug.svg";
  expect(imageSource(image, "http://127.0.0.1:8080/chat/shop/web")).toBe(image);
  expect(imageSource(image, "http://localhost:8080/chat/shop/web")).toBe(image);
  for (const page of ["https://bots.example.org/chat/shop/web", "http://bots.example.org/", "http://127.0.0.1.example.org/"])
    expect(imageSource(image, page), page).toBeNull();
  for (const other of ["http://192.168.0.2/mug.svg", "http://127.0.0.1.example.org/mug.svg", "ftp://127.0.0.1/mug.svg"])
    expect(imageSource(other, "http://127.0.0.1:8080/chat/shop/web"), other).toBeNull();
});
