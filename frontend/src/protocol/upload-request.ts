// Uploads a file and reports its progress. `fetch` reports none, so this one request is an XMLHttpRequest.

export interface UploadRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  /** Called with the share that was sent, 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
}

export type SendFile = (url: string, request: UploadRequest) => Promise<Response>;

/** Milliseconds without progress after which the upload is given up. */
const MAX_SILENCE = 30_000;
/** Milliseconds for the answer once all bytes are handed on: the buffers of a slow line are still being emptied. */
const MAX_ANSWER_WAIT = 120_000;

export const sendFile: SendFile = (url, { headers, body, onProgress, signal }) =>
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
      allow(MAX_SILENCE);
      if (total) onProgress(loaded / total);
    };
    request.upload.onload = () => allow(MAX_ANSWER_WAIT);
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
