// Entry of the pages of a login that close themselves: after a while, or with their button. Where the browser forbids that,
// the text stays, and the button leads where its address says.

const after = Number(document.querySelector("main")?.dataset.after);
if (after) setTimeout(() => window.close(), after);
// Closing comes before following the link: a window that is closed follows none.
document.querySelector("main[data-closes] .act")?.addEventListener("click", () => window.close());
