// Tells the loader, which is built last, the files of the stages that it loads: their names hold a hash of their content, and
// their integrity values let nothing else in their place.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

/** What the loader's code names, as JSON. `folder`: of the built files, with Vite's manifest of them. */
export function stageFiles(folder: string): Record<string, string> {
  const manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, "utf8")) as Record<string, Chunk>;
  const chunk = (name: string): Chunk => {
    const found = manifest[name];
    if (!found) throw new Error(`The chat is built before the loader: npm run build (${name})`);
    return found;
  };
  const files = (name: string): string[] => [chunk(name).file, ...(chunk(name).imports ?? []).flatMap(files)];
  const chat = [...new Set(files("src/embedded/chat.ts"))];
  return {
    CHAT_FILE: JSON.stringify(chunk("src/embedded/chat.ts").file),
    FOLLOW_FILE: JSON.stringify(chunk("src/embedded/follow.ts").file),
    CHAT_FILES: JSON.stringify(chat.map((file) => [file, integrity(readFileSync(`${folder}/${file}`), "sha256")])),
  };
}

/** The value for the attribute `integrity` (Subresource Integrity). */
export function integrity(content: Uint8Array, algorithm: "sha256" | "sha384" = "sha384"): string {
  return `${algorithm}-${createHash(algorithm).update(content).digest("base64")}`;
}
