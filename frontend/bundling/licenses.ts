// Collects the license texts of the packages that are really in a bundle, as their licenses demand.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Plugin } from "vite";

const NAMES = ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE"];

export function licenses(fileName: string): Plugin {
  return {
    name: "licenses",
    generateBundle(_options, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle))
        if (chunk.type === "chunk")
          for (const id of chunk.moduleIds) {
            const folder = packageFolder(id);
            if (folder) folders.add(folder);
          }
      const source = [...folders].sort().map(text).join(`\n${"-".repeat(78)}\n\n`);
      this.emitFile({ type: "asset", fileName, source });
    },
  };
}

function packageFolder(id: string): string | null {
  const at = id.lastIndexOf(`node_modules${sep}`);
  if (at < 0) return null;
  let folder = dirname(id);
  while (folder.length > at && !existsSync(join(folder, "LICENSE")) && !hasName(folder)) folder = dirname(folder);
  return folder;
}

/** Packages put small package.json files without a name into their folders to tell module kinds apart. */
function hasName(folder: string): boolean {
  const file = join(folder, "package.json");
  return existsSync(file) && "name" in JSON.parse(readFileSync(file, "utf8"));
}

function text(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = NAMES.map((candidate) => join(folder, candidate)).find((candidate) => existsSync(candidate));
  if (!file) throw new Error(`Package ${name} has no license file, and its text must be shipped with it.`);
  return `${name} ${version} (${license})\n\n${readFileSync(file, "utf8").trim()}\n`;
}
