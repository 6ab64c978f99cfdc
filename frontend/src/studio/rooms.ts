// The rooms of the studio, and how their code comes: each folder here with an index.ts is loaded when it is first needed.

export const ROOMS = ["build", "understand", "test", "conversations", "insights", "hand-off", "operate", "people"] as const;
export type Room = (typeof ROOMS)[number];

/** What a folder's index.ts exports: it registers the folder's elements, `<studio-FOLDER>` among them. */
interface Part {
  define(): void;
}

const PARTS = import.meta.glob<Part>("./*/index.ts");

const fileOf = (folder: string): string => `./${folder}/index.ts`;

/** The rooms whose code this build has. */
export const PRESENT: readonly Room[] = ROOMS.filter((room) => fileOf(room) in PARTS);

/** The room of a bot that is opened without naming one. */
export const FIRST_ROOM: Room = PRESENT[0] ?? "operate";

/** Returns the rooms that are shown to a role, for named bots or for all. The service refuses what a role may not, whatever is shown. */
export function roomsFor(role: string, isForNamedBots = false): readonly Room[] {
  if (role === "agent") return PRESENT.filter((room) => room === "hand-off");
  if (role === "analyst") return PRESENT.filter((room) => room === "conversations" || room === "insights");
  return role === "developer" || isForNamedBots ? PRESENT.filter((room) => room !== "people") : PRESENT;
}

/** Loads a folder's code and returns the name of its element. Rejects when the code does not come. */
export async function load(folder: string): Promise<string> {
  const part = PARTS[fileOf(folder)];
  if (!part) throw new TypeError(`The studio has no part ${folder}.`);
  (await part()).define();
  return `studio-${folder}`;
}

/** Registers elements that are not registered yet. */
export function register(elements: Readonly<Record<string, CustomElementConstructor>>): void {
  for (const [name, element] of Object.entries(elements)) if (!customElements.get(name)) customElements.define(name, element);
}
