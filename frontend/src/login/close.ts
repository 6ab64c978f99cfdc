// Entry of the page after a login that closes itself. Where the browser forbids that, its text stays.

const after = Number(document.querySelector("main")?.dataset.after);
if (after) setTimeout(() => window.close(), after);
