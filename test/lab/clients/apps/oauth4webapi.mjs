// oauth4webapi in a server of its own: code flow with the ID token's signature checked, userinfo, renewal.
import { createServer } from "node:http";
import * as oauth from "oauth4webapi";

const { issuer, id, secret, url, port } = JSON.parse(process.env.CLIENT);
const plain = { [oauth.allowInsecureRequests]: true };
const as = await oauth.processDiscoveryResponse(
  new URL(issuer),
  await oauth.discoveryRequest(new URL(issuer), plain),
);
const client = { client_id: id };
const authenticate = oauth.ClientSecretPost(secret);
const verifier = oauth.generateRandomCodeVerifier();
const nonce = oauth.generateRandomNonce();
const state = oauth.generateRandomState();
let tokens;

const routes = {
  "/login": async () => {
    const to = new URL(as.authorization_endpoint);
    to.search = new URLSearchParams({
      client_id: id,
      response_type: "code",
      redirect_uri: `${url}/callback`,
      scope: "openid profile email",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      nonce,
      state,
    });
    return to;
  },
  "/callback": async (asked) => {
    const code = oauth.validateAuthResponse(as, client, asked, state);
    const given = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      authenticate,
      code,
      `${url}/callback`,
      verifier,
      plain,
    );
    tokens = await oauth.processAuthorizationCodeResponse(as, client, given, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(as, given, plain);
    return new URL("/", url);
  },
  "/": async () => {
    const { sub } = oauth.getValidatedIdTokenClaims(tokens);
    const answer = await oauth.userInfoRequest(as, client, tokens.access_token, plain);
    const { name, email } = await oauth.processUserInfoResponse(as, client, sub, answer);
    return { sub, name, email };
  },
  "/renew": async () => {
    const { access_token, refresh_token } = tokens;
    const answer = await oauth.refreshTokenGrantRequest(as, client, authenticate, refresh_token, plain);
    const renewed = await oauth.processRefreshTokenResponse(as, client, answer);
    return { isRenewed: renewed.access_token !== access_token };
  },
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
