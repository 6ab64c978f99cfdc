import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendFile } from "../src/protocol/upload-request";

/** A request that does only what the test tells it. */
class Request {
  static last: Request;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void; onload?: () => void } = {};
  onload?: () => void;
  onabort?: () => void;
  status = 201;
  responseText = "{}";
  isAborted = false;

  constructor() {
    Request.last = this;
  }

  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  getResponseHeader = () => null;

  abort(): void {
    this.isAborted = true;
    this.onabort?.();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("XMLHttpRequest", Request);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function send(signal = new AbortController().signal): Promise<Response | Error> {
  const load = { headers: {}, body: new Blob(["x"]), onProgress: () => undefined, signal };
  return sendFile("/files", load).catch((error: Error) => error);
}

test("a request that the browser holds back is not given up", async () => {
  const answer = send();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(Request.last.isAborted).toBe(false);
  Request.last.upload.onprogress?.({ loaded: 1, total: 1 });
  Request.last.onload?.();
  expect(await answer).toMatchObject({ status: 201 });
});

test("a request whose bytes stop flowing is given up after half a minute", async () => {
  const answer = send();
  Request.last.upload.onprogress?.({ loaded: 1, total: 9 });
  await vi.advanceTimersByTimeAsync(29_000);
  Request.last.upload.onprogress?.({ loaded: 2, total: 9 });
  await vi.advanceTimersByTimeAsync(29_000);
  expect(Request.last.isAborted).toBe(false);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await answer).toBeInstanceOf(TypeError);
});

test("a request whose bytes are all on their way has longer for its answer", async () => {
  const answer = send();
  Request.last.upload.onprogress?.({ loaded: 9, total: 9 });
  Request.last.upload.onload?.();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(Request.last.isAborted).toBe(false);
  Request.last.onload?.();
  expect(await answer).toMatchObject({ status: 201 });
});

test("what was left out before it began is never sent", async () => {
  const left = AbortSignal.abort(new Error("left out"));
  const before = Request.last;
  expect(await send(left)).toMatchObject({ message: "left out" });
  expect(Request.last).toBe(before);
});
