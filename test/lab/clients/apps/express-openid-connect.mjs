// express-openid-connect with the code flow, renewal, and sign-out at the center.
import express from "express";
import { createRequire } from "node:module";

const { auth } = createRequire(import.meta.url)("express-openid-connect");
const { issuer, id, secret, url, port } = JSON.parse(process.env.CLIENT);
const app = express();
app.use(
  auth({
    issuerBaseURL: issuer,
    baseURL: url,
    clientID: id,
    clientSecret: secret,
    secret: "a secret of the laboratory, long enough",
    authRequired: false,
    idpLogout: true,
    authorizationParams: {
      response_type: "code",
      response_mode: "query",
      scope: "openid profile email offline_access",
    },
    routes: { postLogoutRedirect: `${url}/bye` },
  }),
);
app.get("/", async ({ oidc }, response) => {
  const { sub, name, email } = oidc.isAuthenticated() ? await oidc.fetchUserInfo() : {};
  response.json({ sub, name, email });
});
app.get("/renew", async ({ oidc }, response) => {
  const before = oidc.accessToken.access_token;
  const renewed = await oidc.accessToken.refresh();
  response.json({ isRenewed: renewed.access_token !== before });
});
app.get("/bye", ({ oidc }, response) => response.json({ isSignedOut: !oidc.isAuthenticated() }));
app.listen(port, "127.0.0.1", () => console.log("ready"));
