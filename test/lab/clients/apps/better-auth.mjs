// better-auth with its plugin for any OpenID provider, and its memory instead of a database.
import { createServer } from "node:http";
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { fromNodeHeaders, toNodeHandler } from "better-auth/node";
import { genericOAuth } from "better-auth/plugins";

const { issuer, id, secret, url, port } = JSON.parse(process.env.CLIENT);
const kept = { user: [], session: [], account: [], verification: [] };
const auth = betterAuth({
  baseURL: url,
  secret: "a secret of the laboratory, long enough",
  database: memoryAdapter(kept),
  telemetry: { enabled: false },
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: "trivet",
          discoveryUrl: `${issuer}/.well-known/openid-configuration`,
          clientId: id,
          clientSecret: secret,
          scopes: ["openid", "profile", "email"],
          pkce: true,
        },
      ],
    }),
  ],
});
const handle = toNodeHandler(auth);

const routes = {
  "/login": async ({ headers }, response) => {
    const answer = await auth.api.signInSocial({
      body: { provider: "trivet", callbackURL: "/" },
      headers,
      asResponse: true,
    });
    const { url: to } = await answer.json();
    response.setHeader("set-cookie", answer.headers.getSetCookie());
    response.writeHead(302, { location: to }).end();
  },
  "/": async ({ headers }, response) => {
    const { user } = await auth.api.getSession({ headers });
    const { accountId: sub } = kept.account.find(({ userId }) => userId === user.id);
    response.end(JSON.stringify({ sub, name: user.name, email: user.email }));
  },
};

createServer(async (request, response) => {
  const route = routes[new URL(request.url, url).pathname];
  if (route === undefined) return handle(request, response);
  try {
    await route({ headers: fromNodeHeaders(request.headers) }, response);
  } catch (error) {
    response.writeHead(500).end(String(error?.stack ?? error));
  }
}).listen(port, "127.0.0.1", () => console.log("ready"));
