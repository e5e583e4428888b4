// Auth.js (@auth/core) in Express as its documentation says: of the person it knows the ID token alone.
import { ExpressAuth, getSession } from "@auth/express";
import express from "express";

const { issuer, id, secret, port } = JSON.parse(process.env.CLIENT);
const config = {
  trustHost: true,
  secret: "a secret of the laboratory, long enough",
  providers: [{ id: "trivet", name: "Trivet", type: "oidc", issuer, clientId: id, clientSecret: secret }],
  callbacks: { jwt: ({ token, profile }) => (profile ? { ...token, subject: profile.sub } : token) },
};
config.callbacks.session = ({ session, token }) => ({ ...session, sub: token.subject, ...session.user });

const app = express();
app.use("/auth", ExpressAuth(config));
app.get("/", async (request, response) => response.json(await getSession(request, config)));
app.listen(port, "127.0.0.1", () => console.log("ready"));
