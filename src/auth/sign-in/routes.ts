/** Signing in: password, code, second factor; and bringing a deleted account back. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import type { Auth } from "../auth.ts";
import { emailSchema, passwordSchema } from "../accounts/schema.ts";
import { toCaller } from "../http/callers.ts";
import { rememberDevice } from "../http/device-cookie.ts";
import {
  challengeIdSchema,
  exampleChallengeId,
  exampleTokens,
  signedInSchema,
  toSignedInView,
  toTokensView,
  tokensSchema,
} from "../http/views.ts";

const common = { tags: ["sign-in"], "x-access": "public", security: [] };
const credentialsSchema = z.object({ identifier: z.string().min(1).max(254), password: passwordSchema });
const exampleCredentials = { identifier: "ann", password: "correct horse battery staple" };
const passwordErrors = [
  ...writeErrors,
  "invalid_credentials",
  "email_unverified",
  "account_pending",
  "account_suspended",
  "too_many_attempts",
  "unavailable",
] as const;

function addPasswordRoutes(app: ServiceApp, auth: Auth): void {
  const responses = {
    200: jsonResponse("Signed in, or the second factor is asked for", signedInSchema, exampleTokens),
    ...problemResponses(...passwordErrors),
  };
  const body = jsonBody(credentialsSchema, exampleCredentials);
  const signIn = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/login",
    operationId: "signIn",
    summary: "Sign in with a username or an address, and the password",
    request: { body },
    responses,
  });
  app.openapi(signIn, async (c) => {
    const attempt = { ...c.req.valid("json"), caller: toCaller(c) };
    const signedIn = await auth.signIn.withPassword(attempt);
    c.header("cache-control", "no-store");
    if (signedIn.kind === "tokens") rememberDevice(c, auth, signedIn.tokens.user.id);
    return c.json(toSignedInView(signedIn), 200);
  });

  const restore = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/me/restore",
    operationId: "restoreAccount",
    summary: "Bring an account back that its owner deleted less than 14 days ago, and sign in",
    request: { body },
    responses,
  });
  app.openapi(restore, async (c) => {
    const attempt = { ...c.req.valid("json"), caller: toCaller(c), restores: true };
    const signedIn = await auth.signIn.withPassword(attempt);
    c.header("cache-control", "no-store");
    if (signedIn.kind === "tokens") rememberDevice(c, auth, signedIn.tokens.user.id);
    return c.json(toSignedInView(signedIn), 200);
  });
}

function addCodeRoute(app: ServiceApp, auth: Auth): void {
  const route = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/login/code",
    operationId: "signInWithCode",
    summary: "Sign in with a code from the mailbox (email/send-code with purpose login)",
    request: {
      body: jsonBody(
        z.object({
          email: emailSchema,
          code: z.string().min(1).max(20),
          challengeId: challengeIdSchema.optional(),
        }),
        { email: "ann@example.org", code: "1234 5678", challengeId: exampleChallengeId },
      ),
    },
    responses: {
      200: jsonResponse("Signed in, or the second factor is asked for", signedInSchema, exampleTokens),
      ...problemResponses(...writeErrors, "code_invalid", "too_many_attempts", "unavailable"),
    },
  });
  app.openapi(route, async (c) => {
    const { email, code, challengeId } = c.req.valid("json");
    const signedIn = await auth.signIn.withCode({
      email,
      challengeId,
      code: code.replaceAll(/\s/gu, ""),
      caller: toCaller(c),
    });
    c.header("cache-control", "no-store");
    if (signedIn.kind === "tokens") rememberDevice(c, auth, signedIn.tokens.user.id);
    return c.json(toSignedInView(signedIn), 200);
  });
}

function addSecondFactorRoute(app: ServiceApp, auth: Auth): void {
  const route = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/login/mfa",
    operationId: "signInWithSecondFactor",
    summary: "Finish a sign-in with the second factor",
    request: {
      body: jsonBody(
        z.object({
          challengeId: z.string().min(1).max(100),
          method: z.enum(["totp", "recovery"]).default("totp"),
          code: z.string().min(1).max(40),
        }),
        { challengeId: "mfa_…", method: "totp", code: "123456" },
      ),
    },
    responses: {
      200: jsonResponse("Signed in", tokensSchema, exampleTokens),
      ...problemResponses(...writeErrors, "invalid_credentials", "code_invalid", "too_many_attempts"),
    },
  });
  app.openapi(route, async (c) => {
    const tokens = await auth.signIn.withSecondFactor({ ...c.req.valid("json"), caller: toCaller(c) });
    c.header("cache-control", "no-store");
    rememberDevice(c, auth, tokens.user.id);
    return c.json(toTokensView(tokens), 200);
  });
}

/** Adds login, login/code, login/mfa and me/restore. */
export function addSignInRoutes(app: ServiceApp, auth: Auth): void {
  addPasswordRoutes(app, auth);
  addCodeRoute(app, auth);
  addSecondFactorRoute(app, auth);
}
