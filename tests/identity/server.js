// An identity provider for the tests: the certified oidc-provider with a login form, two people and a small API.
//
//   node server.js '{"redirects": ["http://127.0.0.1:8080/v1/account-linking"], "port": 0, "ttl": 3600}'
//
// It prints its issuer when it listens. GET /seen tells the test what was asked how often, which pages browsers came from,
// and every text that must appear nowhere outside of it; it is a test's own door, on loopback.
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";
import { form, trouble } from "./pages.js";

const { redirects, port = 0, ttl = 3600, client = "northbank-bot", secret, jwt = false } = JSON.parse(process.argv[2]);
const API = "https://api.northbank.example";
const PEOPLE = {
  ada: { password: "difference engine", sub: "northbank-7741", name: "Ada Lovelace", balance: 1204.5, email: "ada@northbank.example", email_verified: true, groups: ["bot-admins"] },
  mallory: { password: "in the middle", sub: "northbank-6666", name: "Mallory Marlowe", balance: 0.13, email: "ada@northbank.example", email_verified: false, groups: [] },
};
const LONGEST_BODY = 16 * 1024;

const server = createServer();
await new Promise((listening) => server.listen(port, "127.0.0.1", listening));
const issuer = `http://127.0.0.1:${server.address().port}`;

const counts = {};
const referrers = [];
const secrets = new Set();
const api = new Map();

const key = (type, options, more) => ({
  ...generateKeyPairSync(type, options).privateKey.export({ format: "jwk" }),
  use: "sig",
  ...more,
});

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: client,
      client_secret: secret,
      redirect_uris: redirects,
      grant_types: ["authorization_code", "refresh_token"],
    },
  ],
  clientAuthMethods: ["client_secret_basic"],
  claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"], groups: ["groups"] },
  cookies: { keys: [randomBytes(16).toString("hex")] },
  jwks: { keys: [key("rsa", { modulusLength: 2048 }, { alg: "RS256", kid: "one" }), key("ec", { namedCurve: "P-256" }, { alg: "ES256", kid: "two" })] },
  pkce: { required: () => true },
  scopes: ["openid", "profile", "email", "groups", "offline_access"],
  ttl: { AccessToken: ttl, IdToken: 600, RefreshToken: 86400, Interaction: 600, Session: 3600, Grant: 86400 },
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  features: {
    devInteractions: { enabled: false },
    revocation: { enabled: true, allowedPolicy: async (_, asking, token) => token.clientId === asking.clientId },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: async () => true,
      getResourceServerInfo: async () => ({
        scope: "accounts",
        accessTokenTTL: ttl,
        accessTokenFormat: jwt ? "jwt" : "opaque",
        jwt: { sign: { alg: "ES256" } },
      }),
    },
  },
  findAccount: async (_, sub) => {
    const person = Object.values(PEOPLE).find((one) => one.sub === sub);
    return person && { accountId: sub, claims: async () => ({ sub, name: person.name, email: person.email, email_verified: person.email_verified, groups: person.groups }) };
  },
  // Nobody is asked for consent: whoever signs in grants all that the bot may ask for.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope("openid profile email groups offline_access");
    grant.addResourceScope(API, "accounts");
    await grant.save();
    return grant;
  },
});

provider.use(async (ctx, next) => {
  await next();
  const place = ctx.response.get("location");
  const code = place && URL.canParse(place) ? new URL(place).searchParams.get("code") : null;
  if (code) secrets.add(code);
  if (ctx.path === "/token" && ctx.status === 200) {
    for (const name of ["access_token", "refresh_token", "id_token"]) if (ctx.body[name]) secrets.add(ctx.body[name]);
    const { sub } = JSON.parse(Buffer.from(ctx.body.id_token.split(".")[1], "base64url"));
    api.set(ctx.body.access_token, { sub, until: Date.now() + ctx.body.expires_in * 1000 });
  }
});

async function posted(request) {
  let body = "";
  for await (const piece of request) {
    body += piece;
    if (body.length > LONGEST_BODY) throw new Error("The form is too large.");
  }
  return new URLSearchParams(body);
}

function answer(response, status, content, type = "text/html; charset=utf-8") {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
  response.end(content);
}

async function interact(request, response, step) {
  const { uid, prompt, params } = await provider.interactionDetails(request, response);
  if (prompt.name !== "login") return answer(response, 400, trouble(`Nothing here answers the prompt ${prompt.name}.`));
  if (request.method === "GET") return answer(response, 200, form(uid, params.client_id));
  const finished = (result) => provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  if (step === "abort") return finished({ error: "access_denied", error_description: "The person cancelled." });
  const filled = await posted(request);
  const person = PEOPLE[filled.get("login")];
  if (!person || person.password !== filled.get("password")) {
    return answer(response, 200, form(uid, params.client_id, "That user name or password is not right."));
  }
  return finished({ login: { accountId: person.sub } });
}

// What a data source of the bot calls with the access token.
async function accounts(request, response) {
  const token = (request.headers.authorization ?? "").replace(/^Bearer /, "");
  const known = api.get(token);
  const lives = known && known.until > Date.now() && (jwt || (await provider.AccessToken.find(token)));
  if (!lives) return answer(response, 401, '{"error": "invalid_token"}', "application/json");
  const { name, balance } = Object.values(PEOPLE).find((one) => one.sub === known.sub);
  return answer(response, 200, JSON.stringify({ name, balance }), "application/json");
}

const handle = provider.callback();

server.on("request", async (request, response) => {
  const { pathname } = new URL(request.url, issuer);
  const [, first, , step] = pathname.split("/");
  counts[pathname] = (counts[pathname] ?? 0) + (first === "interaction" ? 0 : 1);
  if (request.headers.referer) referrers.push([`${request.headers.host}${pathname}`, request.headers.referer]);
  try {
    if (pathname === "/seen") answer(response, 200, JSON.stringify({ counts, referrers, secrets: [...secrets] }), "application/json");
    else if (pathname === "/accounts") await accounts(request, response);
    else if (first === "interaction") await interact(request, response, step);
    else await handle(request, response);
  } catch (error) {
    if (!response.headersSent) answer(response, 400, trouble(error.message));
  }
});

process.on("SIGTERM", () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
console.log(`issuer ${issuer}`);
