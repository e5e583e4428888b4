/** Signing in: password, code, second factor; and bringing a deleted account back. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { emailSchema, passwordSchema } from "../accounts/schema.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { type DeviceDeps, rememberDevice } from "../sessions/http/device-cookie.ts";
import type { SignedIn } from "../sessions/signed-in.ts";
import type { SignIn } from "./sign-in.ts";
import {
  challengeIdSchema,
  codeSchema,
  exampleChallengeId,
  exampleTokens,
  signedInSchema,
  toSignedInView,
  toTokensView,
  tokensSchema,
} from "../edge/views.ts";
import { createRoute } from "../edge/create-route.ts";

const common = { tags: ["sign-in"], "x-access": "public", security: [] };
const enrol = z.boolean().default(false).openapi({
  description:
    "For an account that must set up two-factor authentication first: true returns tokens that can be used only for that setup, instead of the error mfa_enrolment_required",
});
const credentialsSchema = z.strictObject({
  identifier: z.string().min(1).max(254),
  password: passwordSchema,
  enrol,
});
const exampleCredentials = { identifier: "ann", password: "correct horse battery staple" };
const signedInResponses = {
  200: jsonResponse("Signed in, or a two-factor challenge", signedInSchema, exampleTokens),
};
const passwordErrors = [
  ...writeErrors,
  "invalid_credentials",
  "email_unverified",
  "account_pending",
  "account_suspended",
  "mfa_enrolment_required",
  "too_many_attempts",
  "unavailable",
] as const;

interface Parts extends DeviceDeps {
  readonly signIn: SignIn;
}

/** The tokens, by which the device is known from now on, or the question for the second factor. */
function answer(c: Context<AppEnv>, parts: Parts, signedIn: SignedIn) {
  c.header("cache-control", "no-store");
  if (signedIn.kind === "tokens") rememberDevice(c, parts, signedIn.tokens.user.id);
  return c.json(toSignedInView(signedIn), 200);
}

function addPasswordRoutes(app: ServiceApp, parts: Parts): void {
  const body = jsonBody(credentialsSchema, exampleCredentials);
  const signIn = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/login",
    operationId: "signIn",
    summary: "Sign in with a username or email address and the password",
    request: { body },
    responses: signedInResponses,
    errors: passwordErrors,
  });
  app.openapi(signIn, async (c) => {
    const { enrol: mayEnrol, ...credentials } = c.req.valid("json");
    const attempt = { ...credentials, caller: { ...toCaller(c), mayEnrol } };
    return answer(c, parts, await parts.signIn.withPassword(attempt));
  });

  const restore = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/me/restore",
    operationId: "restoreAccount",
    summary: "Restore an account that its owner deleted less than 14 days ago, and sign in",
    request: { body },
    responses: signedInResponses,
    errors: passwordErrors,
  });
  app.openapi(restore, async (c) => {
    const { enrol: mayEnrol, ...credentials } = c.req.valid("json");
    const attempt = { ...credentials, caller: { ...toCaller(c), mayEnrol }, restores: true };
    return answer(c, parts, await parts.signIn.withPassword(attempt));
  });
}

function addCodeRoute(app: ServiceApp, parts: Parts): void {
  const route = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/login/code",
    operationId: "signInWithCode",
    summary: "Sign in with a code sent by email (email/send-code with purpose login)",
    request: {
      body: jsonBody(
        z.strictObject({
          email: emailSchema,
          code: codeSchema,
          challengeId: challengeIdSchema.optional(),
          enrol,
        }),
        { email: "ann@example.org", code: "1234 5678", challengeId: exampleChallengeId },
      ),
    },
    responses: signedInResponses,
    errors: [...writeErrors, "code_invalid", "mfa_enrolment_required", "too_many_attempts", "unavailable"],
  });
  app.openapi(route, async (c) => {
    const { enrol: mayEnrol, ...code } = c.req.valid("json");
    const attempt = { ...code, caller: { ...toCaller(c), mayEnrol } };
    return answer(c, parts, await parts.signIn.withCode(attempt));
  });
}

function addSecondFactorRoute(app: ServiceApp, parts: Parts): void {
  const route = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/login/mfa",
    operationId: "signInWithSecondFactor",
    summary: "Complete a sign-in with the second factor",
    request: {
      body: jsonBody(
        z.strictObject({
          challengeId: z.string().min(1).max(100),
          method: z.enum(["totp", "recovery"]).default("totp"),
          code: z.string().min(1).max(40),
        }),
        { challengeId: "mfa_…", method: "totp", code: "123456" },
      ),
    },
    responses: { 200: jsonResponse("Signed in", tokensSchema, exampleTokens) },
    errors: [...writeErrors, "invalid_credentials", "code_invalid", "too_many_attempts"],
  });
  app.openapi(route, async (c) => {
    const tokens = await parts.signIn.withSecondFactor({ ...c.req.valid("json"), caller: toCaller(c) });
    c.header("cache-control", "no-store");
    rememberDevice(c, parts, tokens.user.id);
    return c.json(toTokensView(tokens), 200);
  });
}

/** Adds login, login/code, login/mfa and me/restore. */
export function addSignInRoutes(app: ServiceApp, parts: Parts): void {
  addPasswordRoutes(app, parts);
  addCodeRoute(app, parts);
  addSecondFactorRoute(app, parts);
}
