/** The user of an access token, for applications (OpenID Connect Core 1.0 section 5.3). */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { readFields } from "../../kit/http/request-body.ts";
import { findMissingStep } from "../applications/may-use.ts";
import type { Store } from "../../store/store.ts";
import { readCustomClaims } from "./custom-claims.ts";
import { type Subject, findScope } from "../sessions/subject.ts";
import { INSUFFICIENT, toAcrValues } from "../policy/challenge.ts";
import { problemResponses } from "../edge/create-route.ts";
import { withSlash } from "../applications/http/oauth-form.ts";
import type { AccessTokens } from "../sessions/access-tokens.ts";
import { claimTable } from "./claim-table.ts";
import { readScopes, toClaims } from "./scopes.ts";

const PATH = "/oauth/userinfo";
const FORM = /^application\/x-www-form-urlencoded(?:;|$)/iu;

const claimsSchema = z
  .object({
    sub: z.string(),
    ...Object.fromEntries(Object.entries(claimTable).map(([name, { schema }]) => [name, schema.optional()])),
  })
  .catchall(z.unknown())
  .openapi("UserInfo");
/** As RFC 6750 section 3.1 names errors. */
const errorSchema = z
  .object({
    error: z.enum(["invalid_request", "invalid_token", "insufficient_scope", INSUFFICIENT]),
    error_description: z.string(),
  })
  .openapi("UserInfoError");
const example = {
  sub: "usr_01jd5v6m0c8f3k2n7q4x9y1z5a",
  name: "Ann",
  preferred_username: "ann",
  email: "ann@example.org",
  email_verified: true,
};

/** The token of the header, or of a form's body (RFC 6750 sections 2.1 and 2.2); "" without one. */
async function readToken(c: Context<AppEnv>): Promise<string> {
  const header = c.req.header("authorization");
  if (header !== undefined) return /^Bearer +(\S+)$/iu.exec(header)?.[1] ?? "";
  if (c.req.method !== "POST" || !FORM.test(c.req.header("content-type") ?? "")) return "";
  return (await readFields(c)).get("access_token") ?? "";
}

/** A refusal as programs read it (RFC 6750 section 3). */
function refuse(
  c: Context<AppEnv>,
  status: 401 | 403,
  { error, error_description }: z.infer<typeof errorSchema>,
  acr?: string,
): Response {
  // Without a token, the response has no error code (section 3.1).
  const said =
    error === "invalid_request" ? "" : ` error="${error}", error_description="${error_description}"`;
  const wanted = acr === undefined ? "" : `, acr_values="${acr}"`;
  c.header("www-authenticate", `Bearer${said}${wanted}`);
  c.header("cache-control", "no-store");
  return c.json({ error, error_description }, status);
}

/** The challenge for a sign-in that the application's policy would not let in anymore (RFC 9470); undefined where it would. */
function refuseWeak(c: Context<AppEnv>, subject: Subject, nowMs: number): Response | undefined {
  const { user, session, application, rules = {} } = subject;
  if (application === undefined) return undefined;
  const seeking = { user, session, rules, address: undefined, nowMs, isRenewal: true };
  const missing = findMissingStep(application, seeking);
  if (missing !== "two-factor" && missing !== "phishing-resistant") return undefined;
  const error_description = `The access policy of the application now requires ${missing}. Send the user to /oauth/authorize again`;
  return refuse(c, 401, { error: INSUFFICIENT, error_description }, toAcrValues(missing));
}

/** Adds GET and POST /oauth/userinfo. */
export function addUserinfoRoutes(
  app: ServiceApp,
  {
    accessTokens,
    issuer,
    expiry,
    store,
  }: {
    readonly store: Store;
    readonly accessTokens: AccessTokens;
    readonly issuer: string;
    readonly expiry: { now(): number };
  },
): void {
  const answer = async (c: Context<AppEnv>): Promise<Response> => {
    const token = await readToken(c);
    if (token === "")
      return refuse(c, 401, {
        error: "invalid_request",
        error_description: "Send the access token as Authorization: Bearer",
      });
    const subject = (await accessTokens.find(token))?.subject;
    if (subject === undefined)
      return refuse(c, 401, {
        error: "invalid_token",
        error_description: "The access token is invalid or expired",
      });
    const granted = readScopes(findScope(subject) ?? "");
    if (!granted.includes("openid"))
      return refuse(c, 403, {
        error: "insufficient_scope",
        error_description: "The access token does not have the scope openid. Request it at /oauth/authorize",
      });
    const weak = refuseWeak(c, subject, expiry.now());
    if (weak !== undefined) return weak;
    const { user, application, rules = {} } = subject;
    c.header("cache-control", "no-store");
    const custom = granted.includes("profile") ? await readCustomClaims(store, user, rules) : {};
    const target = { issuer, templates: application?.claims };
    return c.json({ sub: user.id, ...toClaims({ ...subject, custom }, granted, target) });
  };
  for (const method of ["get", "post"] as const) {
    app.openAPIRegistry.registerPath({
      tags: ["tokens"],
      "x-access": "user",
      security: [{ bearer: [] }],
      method,
      path: PATH,
      operationId: method === "get" ? "getUserinfo" : "postUserinfo",
      summary: "Claims about the user, as far as the scopes of the access token allow",
      responses: {
        200: jsonResponse("The claims", claimsSchema, example),
        401: jsonResponse("The access token is missing, invalid or expired", errorSchema),
        403: jsonResponse("The access token does not have the scope openid", errorSchema),
        ...problemResponses("store_unavailable"),
      },
    });
    app.on(method.toUpperCase(), withSlash(PATH), answer);
  }
}
