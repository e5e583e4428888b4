// openid-client in a server of its own: code flow, userinfo, renewal, sign-out.
import { createServer } from "node:http";
import * as client from "openid-client";

const { issuer, id, secret, url, port } = JSON.parse(process.env.CLIENT);
const config = await client.discovery(new URL(issuer), id, secret, undefined, {
  execute: [client.allowInsecureRequests],
});
const verifier = client.randomPKCECodeVerifier();
const nonce = client.randomNonce();
const state = client.randomState();
let tokens;

const routes = {
  "/login": async () =>
    client.buildAuthorizationUrl(config, {
      redirect_uri: `${url}/callback`,
      scope: "openid profile email offline_access",
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      nonce,
      state,
    }),
  "/callback": async (asked) => {
    const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce, expectedState: state };
    tokens = await client.authorizationCodeGrant(config, asked, checks);
    return new URL("/", url);
  },
  "/": async () => {
    const said = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
    return { sub: said.sub, name: said.name, email: said.email };
  },
  "/renew": async () => {
    const before = tokens.access_token;
    const { id_token } = tokens;
    tokens = await client.refreshTokenGrant(config, tokens.refresh_token);
    tokens.id_token ??= id_token;
    return { isRenewed: tokens.access_token !== before };
  },
  "/logout": async () =>
    client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: `${url}/bye`,
    }),
  "/bye": async () => ({ isSignedOut: true }),
};

createServer(async (request, response) => {
  const asked = new URL(request.url, url);
  try {
    const answer = await routes[asked.pathname](asked);
    if (answer instanceof URL) response.writeHead(302, { location: answer.href }).end();
    else response.end(JSON.stringify(answer));
  } catch (error) {
    response.writeHead(500).end(String(error?.stack ?? error));
  }
}).listen(port, "127.0.0.1", () => console.log("ready"));
