// AppAuth as an app on a user's machine: no secret, and a custom URL scheme, which the system delivers to it.
import { createServer } from "node:http";
import { createRequire } from "node:module";

// Its CommonJS names are found when it runs.
const require = createRequire(import.meta.url);
const {
  AuthorizationRequest,
  AuthorizationRequestHandler,
  AuthorizationServiceConfiguration,
  BaseTokenRequestHandler,
  BasicQueryStringUtils,
  TokenRequest,
} = require("@openid/appauth");
const { NodeCrypto } = require("@openid/appauth/built/node_support/crypto_utils.js");
const { NodeRequestor } = require("@openid/appauth/built/node_support/node_requestor.js");

const { issuer, id, url, port } = JSON.parse(process.env.CLIENT);
const redirect_uri = "org.example.notes:/callback";
const [crypto, requestor] = [new NodeCrypto(), new NodeRequestor()];
const configuration = await AuthorizationServiceConfiguration.fetchFromIssuer(issuer, requestor);

/** Says where the browser of the system is sent; AppAuth's own handler for Node listens on loopback. */
class SystemBrowser extends AuthorizationRequestHandler {
  constructor() {
    super(new BasicQueryStringUtils(), crypto);
  }
  performAuthorizationRequest() {}
  completeAuthorizationRequest() {}
  toUrl(request) {
    return this.buildRequestUrl(configuration, request);
  }
}

let request;
const tokens = new BaseTokenRequestHandler(requestor);
const perform = (fields, extras) =>
  tokens.performTokenRequest(
    configuration,
    new TokenRequest({ client_id: id, redirect_uri, ...fields, extras }),
  );

const routes = {
  "/login": async () => {
    const scope = "openid profile email offline_access";
    request = new AuthorizationRequest(
      { client_id: id, redirect_uri, scope, response_type: "code" },
      crypto,
      true,
    );
    await request.setupCodeVerifier();
    return new URL(new SystemBrowser().toUrl(request));
  },
  // The system hands over the address that the browser was sent to.
  "/opened": async ({ searchParams }) => {
    const { protocol, searchParams: given } = new URL(searchParams.get("address"));
    if (protocol !== "org.example.notes:" || given.get("state") !== request.state)
      throw new Error(`Not ours: ${given}`);
    const extras = { code_verifier: request.internal.code_verifier };
    const first = await perform({ grant_type: "authorization_code", code: given.get("code") }, extras);
    const renewed = await perform({ grant_type: "refresh_token", refresh_token: first.refreshToken });
    const headers = { authorization: `Bearer ${renewed.accessToken}` };
    const said = await (await fetch(configuration.userInfoEndpoint, { headers })).json();
    return { ...said, isRenewed: renewed.accessToken !== first.accessToken };
  },
};

createServer(async (incoming, response) => {
  const asked = new URL(incoming.url, url);
  try {
    const answer = await routes[asked.pathname](asked);
    if (answer instanceof URL) response.writeHead(302, { location: answer.href }).end();
    else response.end(JSON.stringify(answer));
  } catch (error) {
    response.writeHead(500).end(String(error?.stack ?? JSON.stringify(error)));
  }
}).listen(port, "127.0.0.1", () => console.log("ready"));
