/** Tokens: renewed, ended, and asked for by applications and proxies. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { FORWARDED_QUERY } from "../../kit/http/query-names.ts";
import { toMediaType } from "../../kit/http/request-body.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import type { Administration } from "../administrators/administrators.ts";
import { assertOwner, type Subject, isFirstParty, isMeantFor } from "./subject.ts";
import type { Clients } from "../applications/clients.ts";
import type { ClientRecord } from "../applications/schema.ts";
import type { AccessTokens } from "./access-tokens.ts";
import type { Activity } from "./activity.ts";
import type { Sessions } from "./sessions.ts";
import { exampleValidation, toForwardHeaders, toValidation, validationSchema } from "./validation-views.ts";
import {
  type BearerGuard,
  bearerErrors,
  bearerRoute,
  bearerSecurity,
  getSubject,
  readBearer,
} from "./http/bearer-guard.ts";
import { toCaller } from "./http/callers.ts";
import { exampleTokens, toTokensView, tokensSchema } from "../edge/views.ts";
import { createRoute } from "../edge/create-route.ts";
import { FORM, findClient, readCredentials, readForm } from "../applications/http/oauth-form.ts";
import { refuseClient } from "../applications/http/client-refusal.ts";

interface Parts {
  readonly clients: Pick<Clients, "authenticate">;
  readonly accessTokens: AccessTokens;
  readonly sessions: Sessions;
  readonly activity: Activity;
  readonly administration: Administration;
  readonly bearer: BearerGuard;
}

const tags = ["tokens"];
const isPublic = { tags, "x-access": "public" as const, security: [] };

type ValidateParts = Omit<Parts, "bearer">;

/** A JWT's scopes and audiences take room. */
const MAX_TOKEN = 8_192;

const validateFormSchema = z.object({
  token: z
    .string()
    .optional()
    .openapi({ description: "Required when the Authorization header contains client credentials" }),
  client_id: z
    .string()
    .optional()
    .openapi({ description: "Sent with client_secret when the request has no Basic credentials" }),
  client_secret: z.string().optional(),
});

/** A token whose holder the caller may learn. */
interface Validated {
  readonly subject: Subject;
  /** The application that asks; undefined for one that shows no credentials. */
  readonly asking?: ClientRecord;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

async function answerValidation(
  c: Context<AppEnv>,
  { subject, expiresAt, asking }: Validated,
  { administration }: Pick<Parts, "administration">,
) {
  const rights = await administration.findServiceRights(subject);
  const answer = toValidation(subject, { expiresAt, rights, asking });
  return c.json(answer, 200, toForwardHeaders(subject));
}

/** For anyone who holds a first-party token. An application asks about its own tokens with its credentials. */
async function validateFirstParty(c: Context<AppEnv>, parts: ValidateParts): Promise<Validated> {
  const { subject, accessToken } = await getSubject(c, parts);
  if (isFirstParty(subject.session))
    return { subject, expiresAt: parts.sessions.expiryOf(subject.session, accessToken) };
  throw new AppError(
    "token_invalid",
    "The token belongs to an application. Send the client credentials of that application to validate it",
  );
}

/** For an application with its credentials: its own tokens, and those for a resource that it is. Undefined when the credentials are wrong. */
async function validateForClient(
  c: Context<AppEnv>,
  fields: ReadonlyMap<string, string>,
  { clients, accessTokens, activity }: ValidateParts,
): Promise<Validated | undefined> {
  const client = await findClient(c, fields, clients);
  // Anyone can name a public application.
  if (client?.clientType !== "confidential") return undefined;
  const token = fields.get("token") ?? (readCredentials(c) === undefined ? readBearer(c) : undefined);
  const found = token === undefined ? undefined : await accessTokens.find(token);
  if (found === undefined || !isMeantFor(found.subject, client))
    throw new AppError(
      "token_invalid",
      `The token is invalid, or it was neither issued to "${client.id}" nor for one of its audiences`,
    );
  activity.note(found.subject, client.id);
  return { ...found, asking: client };
}

function addValidate(app: ServiceApp, parts: ValidateParts): void {
  const common = {
    tags,
    "x-access": "user" as const,
    path: "/api/auth/validate",
    [FORWARDED_QUERY]: true,
    responses: { 200: jsonResponse("The token is valid", validationSchema, exampleValidation) },
  };
  const byHeader = createRoute({
    ...common,
    security: bearerSecurity,
    method: "get",
    operationId: "validateToken",
    summary: "Validate a first-party access token",
    errors: [...bearerErrors],
  });
  app.openapi(byHeader, async (c) => answerValidation(c, await validateFirstParty(c, parts), parts));
  const byPost = createRoute({
    ...common,
    security: [...bearerSecurity, { clientSecret: [] }],
    method: "post",
    operationId: "validateTokenByPost",
    summary:
      "Validate an access token. With client credentials: a token that was issued to that application or for one of its audiences",
    request: {
      body: { content: { [FORM]: { schema: validateFormSchema, example: { token: "acc_…" } } } },
    },
    errors: [...bearerErrors, "bad_request", "too_large"],
  });
  app.openAPIRegistry.registerPath(byPost);
  // Read by hand: proxies post bodies of any kind here, which count for nothing.
  app.post(byPost.path, async (c) => {
    const isForm = toMediaType(c.req.header("content-type")) === FORM;
    const fields = isForm ? await readForm(c, MAX_TOKEN) : undefined;
    const isClient = readCredentials(c) !== undefined || fields?.has("client_id") === true;
    if (!isClient) return answerValidation(c, await validateFirstParty(c, parts), parts);
    const validated = fields && (await validateForClient(c, fields, parts));
    if (validated === undefined) return refuseClient(c);
    return answerValidation(c, validated, parts);
  });
}

function addRefresh(app: ServiceApp, { sessions }: Pick<Parts, "sessions">): void {
  const route = createRoute({
    ...isPublic,
    method: "post",
    path: "/api/auth/refresh",
    operationId: "refreshTokens",
    summary: "Exchange a refresh token for new tokens. A repeat within 30 seconds returns the same tokens",
    request: {
      body: jsonBody(z.strictObject({ refreshToken: z.string().min(1).max(200) }), { refreshToken: "ref_…" }),
    },
    responses: { 200: jsonResponse("The new tokens", tokensSchema, exampleTokens) },
    errors: [...writeErrors, "refresh_invalid", "refresh_reused"],
  });
  app.openapi(route, async (c) => {
    const tokens = await sessions.refresh(c.req.valid("json").refreshToken, toCaller(c));
    c.header("cache-control", "no-store");
    return c.json(toTokensView(tokens), 200);
  });
}

function addEnds(app: ServiceApp, { sessions, bearer }: Pick<Parts, "sessions" | "bearer">): void {
  const logout = createRoute({
    ...bearerRoute("tokens", bearer, ""),
    method: "post",
    path: "/api/auth/logout",
    operationId: "signOut",
    summary:
      "Sign out: revoke this session, or with `?everywhere=true` all sessions of the account. An application can revoke only its own sign-in",
    request: { query: z.object({ everywhere: z.enum(["true", "false"]).default("false") }) },
    responses: { 204: { description: "The session has ended" } },
    errors: ["invalid", "store_unavailable"],
  });
  app.openapi(logout, async (c) => {
    const { user, session, application } = c.var.subject;
    const isEverywhere = c.req.valid("query").everywhere === "true";
    if (isEverywhere) assertOwner(c.var.subject);
    const isOwn = application === undefined || application.isOwn;
    if (isEverywhere && !isOwn)
      throw new AppError("forbidden", "An application can revoke only its own sign-in");
    // By the session, not by the token: refreshes that run beside this may have replaced the token by now.
    await sessions.end(user.id, {
      // Signing out of a service of this install ends the browser's session; an application ends its own alone.
      select: ({ id }) => isEverywhere || id === session.id || (isOwn && id === session.parentId),
      event: { kind: isEverywhere ? "sessions-revoked" : "sign-out", caller: toCaller(c) },
    });
    return c.body(null, 204);
  });

  const revoke = createRoute({
    ...isPublic,
    method: "post",
    path: "/api/auth/revoke",
    operationId: "revokeToken",
    summary: "Revoke the session of an access or refresh token (RFC 7009). The response is always the same",
    request: {
      body: jsonBody(z.strictObject({ token: z.string().min(1).max(512) }), { token: "ref_…" }),
    },
    responses: {
      200: jsonResponse(
        "The token is revoked, or was invalid before",
        z.object({ status: z.literal("revoked") }),
        {
          status: "revoked",
        },
      ),
    },
  });
  app.openapi(revoke, async (c) => {
    await sessions.revokeToken(c.req.valid("json").token, toCaller(c));
    return c.json({ status: "revoked" as const }, 200);
  });
}

/** Adds validate, refresh, logout and revoke. */
export function addTokenRoutes(app: ServiceApp, parts: Parts): void {
  addValidate(app, parts);
  addRefresh(app, parts);
  addEnds(app, parts);
}
