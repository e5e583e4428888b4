// Grant in Express, which reads no metadata: it is configured with the URLs, and requests tokens, ID token and
// profile.
import express from "express";
import session from "express-session";
import grant from "grant";

const { issuer, id, secret, url, port } = JSON.parse(process.env.CLIENT);
const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
const app = express();
app.use(session({ secret: "a secret of the laboratory", resave: false, saveUninitialized: true }));
app.use(
  grant.express({
    defaults: { origin: url, transport: "session", state: true, nonce: true, pkce: true },
    trivet: {
      oauth: 2,
      key: id,
      secret,
      authorize_url: metadata.authorization_endpoint,
      access_url: metadata.token_endpoint,
      profile_url: metadata.userinfo_endpoint,
      token_endpoint_auth_method: "client_secret_basic",
      // Its own is a comma.
      scope: ["openid", "profile", "email"],
      scope_delimiter: " ",
      response: ["tokens", "jwt", "profile"],
      callback: "/",
    },
  }),
);
app.get("/", ({ session: { grant: done } }, response) => {
  const { error, jwt, profile } = done?.response ?? {};
  if (profile?.sub === undefined || jwt.id_token.payload.sub !== profile.sub)
    return response.status(500).json({ error, profile });
  const { sub, name, email } = profile;
  return response.json({ sub, name, email });
});
app.listen(port, "127.0.0.1", () => console.log("ready"));
