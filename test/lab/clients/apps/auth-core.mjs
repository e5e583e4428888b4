// @auth/core without a framework. Its session has of the ID token what the application says: here acr and amr too.
import { createServer } from "node:http";
import { Auth } from "@auth/core";

const { issuer, id, secret, url, port } = JSON.parse(process.env.CLIENT);
const config = {
  basePath: "/auth",
  trustHost: true,
  secret: "a secret of the laboratory, long enough",
  providers: [
    {
      id: "trivet",
      name: "Trivet",
      type: "oidc",
      issuer,
      clientId: id,
      clientSecret: secret,
      checks: ["pkce", "state", "nonce"],
      authorization: { params: { scope: "openid profile email", acr_values: "phr aal1" } },
    },
  ],
  callbacks: {
    jwt: ({ token, profile }) =>
      profile ? { ...token, subject: profile.sub, acr: profile.acr, amr: profile.amr } : token,
    session: ({ session: { user }, token }) => ({
      name: user.name,
      email: user.email,
      sub: token.subject,
      acr: token.acr,
      amr: token.amr,
    }),
  },
};

createServer(async (request, response) => {
  const chunks = await request.toArray();
  const asked = new URL(request.url === "/" ? "/auth/session" : request.url, url);
  const headers = new Headers(
    Object.entries(request.headers).filter(([, value]) => typeof value === "string"),
  );
  const { method } = request;
  const body = method === "POST" ? Buffer.concat(chunks) : undefined;
  const answer = await Auth(new Request(asked, { method, headers, body }), config);
  for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value);
  response.setHeader("set-cookie", answer.headers.getSetCookie());
  response.writeHead(answer.status).end(await answer.text());
}).listen(port, "127.0.0.1", () => console.log("ready"));
