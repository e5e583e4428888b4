/** express-oauth2-jwt-bearer before an API: which of a center's tokens it takes, by the audience and the scope in them. */
import assert from "node:assert/strict";
import { z } from "zod";
import { textOf } from "../../../src/kit/thrown.ts";
import type { StartApp } from "./apps.ts";
import { type ClientConfig, type Lab, type Trial, PASSWORD, USERNAME } from "./lab.ts";

const OTHER = "https://other.example.org/api";
const SCOPE = "notes:read";

const tokensSchema = z.object({ access_token: z.string(), id_token: z.string() });
const codeSchema = z.object({ code: z.string() });
const saidSchema = z.object({ sub: z.string(), aud: z.union([z.string(), z.array(z.string())]) });
const signedInSchema = z.object({ accessToken: z.string() });

/** What the application gets that asks for this. */
async function grant(
  lab: Lab,
  { issuer, id, secret = "", url }: ClientConfig,
  { scope, resource }: { scope: string; resource?: string },
): Promise<z.infer<typeof tokensSchema>> {
  const redirect_uri = `${url}/callback`;
  const asked = { response_type: "code", client_id: id, redirect_uri, scope };
  const query = new URLSearchParams({ ...asked, ...(resource === undefined ? {} : { resource }) });
  const { body } = await lab.openPerson().enter(`${issuer}/oauth/authorize?${query.toString()}`);
  const { code } = codeSchema.parse(JSON.parse(body));
  const response = await fetch(`${issuer}/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri }),
  });
  return tokensSchema.parse(await response.json());
}

async function signIn(issuer: string): Promise<string> {
  const response = await fetch(`${issuer}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ identifier: USERNAME, password: PASSWORD }),
  });
  return signedInSchema.parse(await response.json()).accessToken;
}

async function tryTokens(lab: Lab, config: ClientConfig): Promise<string> {
  const { url, issuer } = config;
  const ask = (token: string): Promise<Response> =>
    fetch(`${url}/notes`, { headers: { authorization: `Bearer ${token}` } });
  const right = await grant(lab, config, { scope: `openid ${SCOPE}`, resource: url });
  const taken = await ask(right.access_token);
  assert.equal(taken.status, 200, await taken.clone().text());
  assert.ok([saidSchema.parse(await taken.json()).aud].flat().includes(url), "another audience");
  const bare = await grant(lab, config, { scope: "openid", resource: url });
  const elsewhere = await grant(lab, config, { scope: `openid ${SCOPE}`, resource: OTHER });
  const centers = await grant(lab, config, { scope: "openid profile", resource: "auth" });
  const none = await grant(lab, config, { scope: "openid" });
  for (const [name, token, status] of [
    ["without the scope", bare.access_token, 403],
    ["for another resource", elsewhere.access_token, 401],
    ["for the center", centers.access_token, 401],
    ["without a resource", none.access_token, 401],
    ["the center's own", await signIn(issuer), 401],
    ["an ID token", right.id_token, 401],
  ] as const) {
    const answer = await ask(token);
    assert.equal(answer.status, status, `${name}: ${await answer.clone().text()}`);
  }
  return "took the token for its audience and scope, refused six others";
}

/** Creates the trial. */
export function createResourceTrial(start: StartApp): Trial {
  return {
    name: "express-oauth2-jwt-bearer",
    run: async (lab) => {
      await lab.registerResource(OTHER, [SCOPE]);
      const config = await lab.register("notes-api", (url) => ({
        redirectUris: [`${url}/callback`],
        requirePkce: false,
        accessTokenFormat: "jwt",
      }));
      await lab.registerResource(config.url, [SCOPE]);
      const resources = [config.url, OTHER].map((id) => ({ id, scopes: [SCOPE] }));
      await lab.change(config.id, { resources: [...resources, { id: "auth", scopes: ["check-in"] }] });
      const running = await start(config);
      try {
        return await tryTokens(lab, config);
      } catch (error) {
        throw new Error(`${textOf(error)}\n${running.output()}`, { cause: error });
      } finally {
        await running.stop();
      }
    },
  };
}
