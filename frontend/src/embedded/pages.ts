// On which pages of a site something is shown, also where the site changes its pages without loading them.

/** Whether the page's path is one of `pages`, in which `*` stands for any characters; without any, each page is. */
export function pageMatches(pages: readonly string[] | undefined, path: string = location.pathname): boolean {
  if (!pages?.length) return true;
  // A page without type checks may give one text in place of a list.
  return [pages].flat().some((page) => new RegExp(`^${page.split("*").map(escaped).join(".*")}$`).test(path));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.|?+()[\]{}]/g, "\\$&");
}

/** Calls `work` after each change of the address; returns what ends that. Older browsers tell of the user's own steps only. */
export function whenPageChanges(work: () => void): () => void {
  const { navigation } = globalThis as { navigation?: EventTarget };
  const [target, name] = navigation ? [navigation, "currententrychange"] : [window, "popstate"];
  target.addEventListener(name, work);
  return () => target.removeEventListener(name, work);
}
