// next-auth 4 with its handler of the pages router, which takes what Express has as well.
import express from "express";
import nextAuth from "next-auth";

const { issuer, id, secret, url, port } = JSON.parse(process.env.CLIENT);
process.env.NEXTAUTH_URL = url;
const options = {
  secret: "a secret of the laboratory",
  providers: [
    {
      id: "trivet",
      name: "Trivet",
      type: "oauth",
      wellKnown: `${issuer}/.well-known/openid-configuration`,
      authorization: { params: { scope: "openid email profile" } },
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      clientId: id,
      clientSecret: secret,
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
    },
  ],
  callbacks: {
    session: ({ session, token }) => ({ sub: token.sub, name: session.user.name, email: session.user.email }),
  },
};

const app = express();
app.use(express.urlencoded());
app.use("/api/auth", (request, response) => {
  const pairs = (request.headers.cookie ?? "").split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))];
  });
  const { headers, method, body = {}, path } = request;
  const query = { ...request.query, nextauth: path.split("/").filter((part) => part !== "") };
  return (nextAuth.default ?? nextAuth)(
    { headers, method, body, query, cookies: Object.fromEntries(pairs) },
    response,
    options,
  );
});
app.get("/", (_, response) => response.redirect("/api/auth/session"));
app.listen(port, "127.0.0.1", () => console.log("ready"));
