// Sends a file's bytes and tells how far they are. `fetch` cannot tell that, so this one request is made the older way.

export interface Load {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  /** 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
}

export type Carry = (url: string, load: Load) => Promise<Response>;

/** No progress for this long means that nothing comes through any more. */
const SILENCE_ALLOWED = 30_000;
/** The browser has handed all of it on: what still lies in the buffers of a slow line, and the answer, take their time. */
const ANSWER_ALLOWED = 120_000;

export const carry: Carry = (url, { headers, body, onProgress, signal }) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    // Until the first bytes flow there is nothing to watch: a browser may hold the request back for a free connection.
    let watch: ReturnType<typeof setTimeout> | undefined;
    const allow = (within: number) => {
      clearTimeout(watch);
      watch = setTimeout(stop, within);
    };
    const end = () => {
      clearTimeout(watch);
      signal.removeEventListener("abort", stop);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      allow(SILENCE_ALLOWED);
      if (total) onProgress(loaded / total);
    };
    request.upload.onload = () => allow(ANSWER_ALLOWED);
    request.onload = () => {
      end();
      const after = request.getResponseHeader("Retry-After");
      resolve(new Response(request.responseText, { status: request.status, headers: after ? { "Retry-After": after } : {} }));
    };
    request.onerror = request.onabort = () => {
      end();
      reject(signal.aborted ? signal.reason : new TypeError("The file did not get through."));
    };
    signal.addEventListener("abort", stop);
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body);
  });
