/** Signing in with a passkey, alone or as the second step, and the origins that may ask for ours. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import type { Store } from "../../store/store.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { createRoute } from "../edge/create-route.ts";
import { type DeviceDeps, rememberDevice } from "../sessions/http/device-cookie.ts";
import { begunSchema, challengeIdSchema, exampleAssertion, exampleBegun } from "./passkey-views.ts";
import { exampleTokens, toTokensView, tokensSchema } from "../edge/views.ts";
import { loadSettings } from "../settings/settings.ts";
import type { PasskeySignIn } from "./passkey-sign-in.ts";
import { assertionResponseSchema } from "./schema.ts";

const common = { tags: ["passkeys"], "x-access": "public" as const, security: [] };
const answerErrors = [
  ...writeErrors,
  "passkey_invalid",
  "passkey_unknown",
  "too_many_attempts",
  "unavailable",
] as const;
const optionsResponse = jsonResponse("Options for navigator.credentials.get()", begunSchema, exampleBegun);
const signedIn = { 200: jsonResponse("Signed in", tokensSchema, exampleTokens) };
/** Of the second step that the password began. */
const mfaIdSchema = z.string().min(1).max(100);

interface Parts extends DeviceDeps {
  readonly passkeySignIn: PasskeySignIn;
  readonly store: Store;
}

function addSignIn(app: ServiceApp, parts: Parts): void {
  const begin = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/passkeys/options",
    operationId: "beginPasskeySignIn",
    summary: "Start a passkey sign-in: returns request options for discoverable passkeys, without a username",
    responses: { 200: optionsResponse },
    errors: ["unavailable"],
  });
  app.openapi(begin, (c) => {
    c.header("cache-control", "no-store");
    return c.json({ ...parts.passkeySignIn.begin() }, 200);
  });

  const finish = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/passkeys/sign-in",
    operationId: "signInWithPasskey",
    summary: "Sign in with the result of navigator.credentials.get(). Counts as two factors",
    request: {
      body: jsonBody(
        z.strictObject({ challengeId: challengeIdSchema, response: assertionResponseSchema }),
        exampleAssertion,
      ),
    },
    responses: signedIn,
    errors: [
      ...answerErrors,
      "passkey_unverified",
      "email_unverified",
      "account_pending",
      "account_suspended",
    ],
  });
  app.openapi(finish, async (c) => {
    const tokens = await parts.passkeySignIn.finish({ ...c.req.valid("json"), caller: toCaller(c) });
    c.header("cache-control", "no-store");
    rememberDevice(c, parts, tokens.user.id);
    return c.json(toTokensView(tokens), 200);
  });
}

function addFactor(app: ServiceApp, parts: Parts): void {
  const { factor } = parts.passkeySignIn;
  const begin = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/passkeys/second-factor/options",
    operationId: "beginPasskeySecondFactor",
    summary:
      "Start the second step of a sign-in with a passkey: returns the request options. Available if methods contains passkey",
    request: { body: jsonBody(z.strictObject({ mfaId: mfaIdSchema }), { mfaId: "mfa_…" }) },
    responses: { 200: optionsResponse },
    errors: [...writeErrors, "invalid_credentials", "not_found", "unavailable"],
  });
  app.openapi(begin, async (c) => {
    c.header("cache-control", "no-store");
    return c.json({ ...(await factor.begin(c.req.valid("json").mfaId)) }, 200);
  });

  const finish = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/passkeys/second-factor",
    operationId: "signInWithPasskeySecondFactor",
    summary: "Complete a sign-in with a passkey as the second factor",
    request: {
      body: jsonBody(
        z.strictObject({
          mfaId: mfaIdSchema,
          challengeId: challengeIdSchema,
          response: assertionResponseSchema,
        }),
        { mfaId: "mfa_…", ...exampleAssertion },
      ),
    },
    responses: signedIn,
    errors: [...answerErrors, "invalid_credentials"],
  });
  app.openapi(finish, async (c) => {
    const { mfaId, ...answer } = c.req.valid("json");
    const tokens = await factor.finish(mfaId, { ...answer, caller: toCaller(c) });
    c.header("cache-control", "no-store");
    rememberDevice(c, parts, tokens.user.id);
    return c.json(toTokensView(tokens), 200);
  });
}

/** Adds /api/auth/passkeys and /.well-known/webauthn. */
export function addPasskeyRoutes(app: ServiceApp, parts: Parts): void {
  addSignIn(app, parts);
  addFactor(app, parts);
  const origins = createRoute({
    ...common,
    method: "get",
    path: "/.well-known/webauthn",
    operationId: "listPasskeyOrigins",
    summary: "List other origins that can use passkeys of this auth center (related origins)",
    responses: {
      200: jsonResponse("The origins", z.object({ origins: z.array(z.string()) }), {
        origins: ["https://shop.example.org"],
      }),
    },
    errors: ["not_found"],
  });
  app.openapi(origins, async (c) => {
    const { passkeyOrigins } = await loadSettings(parts.store, "registration");
    if (passkeyOrigins.length === 0) throw new AppError("not_found", "No related origins are configured");
    return c.json({ origins: passkeyOrigins }, 200);
  });
}
