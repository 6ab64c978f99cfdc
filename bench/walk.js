// Walks the conversations of a bot page by page, as any client may: node bench/walk.js ADDRESS TOKEN [PAGE]
const [address, token, page = "1000"] = process.argv.slice(2);
const headers = { Authorization: `Bot-Server-Access-Token ${token}` };
const seen = new Set();
let pages = 0;
let twice = 0;
const began = performance.now();
for (let next = `${address}?limit=${page}`; next; pages += 1) {
  const response = await fetch(next, { headers });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  for (const { _id } of await response.json()) {
    if (seen.has(_id)) twice += 1;
    seen.add(_id);
  }
  next = /<([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
}
const seconds = (performance.now() - began) / 1000;
console.log(JSON.stringify({ seen: seen.size, twice, pages, seconds, ids: process.argv[5] ? [...seen] : undefined }));
