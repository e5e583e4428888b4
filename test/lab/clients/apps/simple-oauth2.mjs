// simple-oauth2 in a server of its own: plain OAuth 2 with PKCE, userinfo, renewal, and giving the tokens back.
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { AuthorizationCode } from "simple-oauth2";

const { issuer, id, secret, url, port } = JSON.parse(process.env.CLIENT);
const client = new AuthorizationCode({
  client: { id, secret },
  auth: {
    tokenHost: issuer,
    tokenPath: "/oauth/token",
    authorizePath: "/oauth/authorize",
    revokePath: "/oauth/revoke",
  },
});
const redirect_uri = `${url}/callback`;
const [verifier, state] = [randomBytes(32).toString("base64url"), randomBytes(16).toString("hex")];
let token;

function ask() {
  const headers = { authorization: `Bearer ${token.token.access_token}` };
  return fetch(`${issuer}/oauth/userinfo`, { headers });
}

const routes = {
  "/login": async () =>
    new URL(
      client.authorizeURL({
        redirect_uri,
        scope: ["openid", "profile", "email", "offline_access"],
        state,
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
      }),
    ),
  "/callback": async ({ searchParams }) => {
    if (searchParams.get("state") !== state) throw new Error(`Another state: ${searchParams}`);
    const code = searchParams.get("code");
    token = await client.getToken({ code, redirect_uri, code_verifier: verifier });
    return new URL("/", url);
  },
  "/": async () => {
    const { sub, name, email } = await (await ask()).json();
    return { sub, name, email };
  },
  "/renew": async () => {
    const before = token.token.access_token;
    token = await token.refresh();
    const isRenewed = token.token.access_token !== before && (await ask()).status === 200;
    await token.revokeAll();
    const { status } = await ask();
    if (status !== 401) throw new Error(`After its revocation the token is answered with ${status}`);
    return { isRenewed };
  },
};

createServer(async (request, response) => {
  const asked = new URL(request.url, url);
  try {
    const answer = await routes[asked.pathname](asked);
    if (answer instanceof URL) response.writeHead(302, { location: answer.href }).end();
    else response.end(JSON.stringify(answer));
  } catch (error) {
    response
      .writeHead(500)
      .end(String(error?.data?.payload ? JSON.stringify(error.data.payload) : (error?.stack ?? error)));
  }
}).listen(port, "127.0.0.1", () => console.log("ready"));
