import { afterEach, expect, test, vi } from "vitest";
import { MAX_FILE_BYTES, Uploads } from "../src/chat/uploads";
import { Refusal } from "../src/protocol/api";
import type { Kept } from "../src/protocol/wire";

afterEach(() => {
  vi.useRealTimers();
});

const file = (name = "a.png") => new File(["x"], name, { type: "image/png" });
const kept = (name: string): Kept => ({ id: `id-${name}`, url: "/f", mimeType: "image/png", name });
const turn = () => new Promise((resolve) => setTimeout(resolve));

function begin(upload: (file: File, onProgress: (part: number) => void, signal: AbortSignal) => Promise<Kept>) {
  return new Uploads({ upload, picture: async () => "data:image/webp;base64,x", onChange: () => undefined });
}

test("a file goes to the service at once and tells how far it is", async () => {
  let arrive = (_: Kept) => {};
  const uploads = begin((_file, onProgress) => {
    onProgress(0.4);
    return new Promise((resolve) => {
      arrive = resolve;
    });
  });
  uploads.add([file()]);
  await turn();
  expect(uploads.all[0]).toMatchObject({ state: "uploading", progress: 0.4, picture: "data:image/webp;base64,x" });
  arrive(kept("a.png"));
  await turn();
  expect(uploads.all[0]).toMatchObject({ state: "done", progress: 1 });
});

test("only what has arrived is taken, with its own small picture", async () => {
  const uploads = begin(async ({ name }) => {
    if (name === "bad.png") throw new TypeError("gone");
    return kept(name);
  });
  uploads.add([file("a.png"), file("bad.png")]);
  await turn();
  expect(uploads.take()).toEqual([
    { id: "id-a.png", shown: { url: "data:image/webp;base64,x", mimeType: "image/png", name: "a.png" } },
  ]);
  expect(uploads.all.map(({ state }) => state)).toEqual(["failed"]);
});

test("what the service refuses keeps the reason's code", async () => {
  const uploads = begin(() => Promise.reject(new Refusal(400, "file-empty", "The file is empty.")));
  uploads.add([file()]);
  await turn();
  expect(uploads.all[0]).toMatchObject({ state: "failed", reason: "file-empty" });
});

test("a file that is too large is not sent at all", async () => {
  const uploads = begin(() => expect.unreachable());
  const large = file();
  Object.defineProperty(large, "size", { value: MAX_FILE_BYTES + 1 });
  uploads.add([large]);
  await turn();
  expect(uploads.all[0]?.state).toBe("too-large");
});

test("a file that is left out stops on its way", async () => {
  const stopped: boolean[] = [];
  const uploads = begin(
    (_file, _onProgress, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          stopped.push(true);
          reject(signal.reason);
        });
      }),
  );
  uploads.add([file()]);
  uploads.remove(uploads.all[0]?.key ?? "");
  await turn();
  expect(stopped).toEqual([true]);
  expect(uploads.all).toEqual([]);
});

test("a failed file goes through on another try", async () => {
  let tries = 0;
  const uploads = begin(async ({ name }) => {
    tries += 1;
    if (tries === 1) throw new TypeError("gone");
    return kept(name);
  });
  uploads.add([file()]);
  await turn();
  uploads.retry(uploads.all[0]?.key ?? "");
  await turn();
  expect(uploads.all[0]?.state).toBe("done");
});

/** Uploads that end when the test lets them. */
function held() {
  const ends = new Map<string, () => void>();
  const uploads = begin(({ name }) => new Promise((resolve) => ends.set(name, () => resolve(kept(name)))));
  const states = () => uploads.all.map(({ state }) => state);
  const end = (name: string) => {
    ends.get(name)?.();
    return turn();
  };
  return { uploads, started: ends, states, end };
}

test("of many files two are on their way at a time, the others wait in their order", async () => {
  const { uploads, started, states, end } = held();
  uploads.add(["a", "b", "c", "d"].map((name) => file(name)));
  await turn();
  expect([...started.keys()]).toEqual(["a", "b"]);
  expect(states()).toEqual(["uploading", "uploading", "waiting", "waiting"]);
  await end("b");
  expect([...started.keys()]).toEqual(["a", "b", "c"]);
  expect(states()).toEqual(["uploading", "done", "uploading", "waiting"]);
  await end("a");
  await end("c");
  await end("d");
  expect(states()).toEqual(["done", "done", "done", "done"]);
});

test("a file that is left out while it waits never goes, and its place goes to the next", async () => {
  const { uploads, started, end } = held();
  uploads.add(["a", "b", "c", "d"].map((name) => file(name)));
  uploads.remove(uploads.all[2]?.key ?? "");
  await end("a");
  expect([...started.keys()]).toEqual(["a", "b", "d"]);
});

test("a service that is busy is asked again when it says so", async () => {
  vi.useFakeTimers();
  let tries = 0;
  const uploads = begin(async ({ name }) => {
    tries += 1;
    if (tries < 3) throw new Refusal(503, "busy", "No place is free.", 2000);
    return kept(name);
  });
  uploads.add([file()]);
  await vi.advanceTimersByTimeAsync(1900);
  expect([tries, uploads.all[0]?.state]).toEqual([1, "waiting"]);
  await vi.advanceTimersByTimeAsync(2200);
  expect([tries, uploads.all[0]?.state]).toEqual([3, "done"]);
});

test("a service that is busy for long, or without saying how long, is a failure", async () => {
  for (const after of [3_600_000, null]) {
    const uploads = begin(() => Promise.reject(new Refusal(429, "too-many-files", "Too many.", after)));
    uploads.add([file()]);
    await turn();
    expect(uploads.all[0]).toMatchObject({ state: "failed", reason: "too-many-files" });
  }
});

test("a service that stays busy is not asked for ever", async () => {
  vi.useFakeTimers();
  let tries = 0;
  const uploads = begin(() => {
    tries += 1;
    return Promise.reject(new Refusal(503, "busy", "No place is free.", 1000));
  });
  uploads.add([file()]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([tries, uploads.all[0]?.state]).toEqual([10, "failed"]);
});
