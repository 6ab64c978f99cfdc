// The two pages of the identity provider that people see. Without script, readable by label.

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const page = (title, body) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title><link rel="icon" href="data:,">
<style>body { font: 16px/24px system-ui, sans-serif; max-width: 320px; margin: 64px auto; padding: 0 16px }
label, button { display: block; margin: 12px 0 } input { display: block; width: 100%; font: inherit; padding: 6px }
button { font: inherit; padding: 8px 16px }</style>
<main><h1>${title}</h1>${body}</main></html>\n`;

export const form = (uid, client, problem = "") =>
  page(
    "Northbank",
    `<p>Sign in to go on to ${escaped(client)}.</p>${problem && `<p role="alert">${escaped(problem)}</p>`}
<form method="post" action="/interaction/${uid}/login">
<label>User name <input name="login" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button></form>
<form method="post" action="/interaction/${uid}/abort"><button>Cancel</button></form>`,
  );

export const trouble = (sentence) => page("That did not work", `<p>${escaped(sentence)}</p>`);
