// express-oauth2-jwt-bearer before an API: it takes access tokens for this audience alone, by the center's key set.
import express from "express";
import { auth, requiredScopes } from "express-oauth2-jwt-bearer";

const { issuer, url, port } = JSON.parse(process.env.CLIENT);
const app = express();
// What the trial's application is brought back with.
app.get("/callback", ({ query }, response) => response.json(query));
app.use(auth({ issuerBaseURL: issuer, audience: url, strict: true }));
app.get("/notes", requiredScopes("notes:read"), ({ auth: { payload } }, response) =>
  response.json({ sub: payload.sub, aud: payload.aud }),
);
app.use((error, _request, response, _next) =>
  response
    .status(error.status ?? 500)
    .set(error.headers ?? {})
    .json({ code: error.code, message: error.message }),
);
app.listen(port, "127.0.0.1", () => console.log("ready"));
