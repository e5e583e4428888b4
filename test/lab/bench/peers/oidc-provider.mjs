// oidc-provider with its memory adapter: people who are signed in and have agreed, and one application.
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { Provider } from "oidc-provider";

const { values } = parseArgs({
  options: { people: { type: "string" }, redirect: { type: "string" }, secret: { type: "string" } },
});
// Its notices would mix with the lines that are read here.
console.info = console.error;
const server = createServer();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();
const url = `http://127.0.0.1:${port}`;

const provider = new Provider(url, {
  clients: [{ client_id: "bench", client_secret: values.secret, redirect_uris: [values.redirect] }],
  claims: { openid: ["sub"], profile: ["name", "preferred_username"], email: ["email", "email_verified"] },
  cookies: { keys: ["a key of the benchmarks"] },
  features: { introspection: { enabled: true } },
  scopes: ["openid", "profile", "email", "offline_access"],
  // As ours: every application gets refresh tokens.
  issueRefreshToken: async () => true,
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({
      ...{ sub: id, name: id, preferred_username: id },
      ...{ email: `${id}@example.org`, email_verified: true },
    }),
  }),
  loadExistingGrant: async ({ oidc }) => {
    const known = oidc.session.grantIdFor(oidc.client.clientId);
    if (known !== undefined) return provider.Grant.find(known);
    const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope("openid profile email offline_access");
    await grant.save();
    return grant;
  },
});
server.on("request", provider.callback());

/** Signs a user in with the development pages; returns the session's cookies. */
async function signIn(name) {
  const cookies = new Map();
  async function send(address, body) {
    const answer = await fetch(new URL(address, url), {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join("; ") },
      ...(body === undefined ? {} : { method: "POST", body: new URLSearchParams(body) }),
    });
    await answer.text();
    for (const line of answer.headers.getSetCookie()) {
      const [pair] = line.split(";");
      const at = pair.indexOf("=");
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer.headers.get("location");
  }
  const asked = new URLSearchParams({
    ...{ client_id: "bench", redirect_uri: values.redirect, response_type: "code", scope: "openid" },
    ...{ code_challenge: "c".repeat(43), code_challenge_method: "S256" },
  });
  const page = await send(`/auth?${asked}`);
  const resume = await send(page, { prompt: "login", login: name, password: "x" });
  await send(resume);
  const kept = ["_session", "_session.sig"].map((key) => `${key}=${cookies.get(key)}`);
  return kept.join("; ");
}

const people = [];
for (let n = 0; n < Number(values.people); n += 1) people.push(await signIn(`person-${n}`));

// The parent ends it by closing standard input, and so does the parent's end.
process.stdin.resume().on("end", () => process.exit(0));
console.log(JSON.stringify({ port, cookies: people }));
