/** Forgotten and changed passwords, proving again who one is, and the second factor. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { emailSchema, passwordSchema } from "../accounts/schema.ts";
import { type BearerGuard, bearerRoute } from "../sessions/http/bearer-guard.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { type DeviceDeps, rememberDevice } from "../sessions/http/device-cookie.ts";
import type { Passwords } from "./passwords.ts";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import { codeSchema, exampleTokens, toTokensView, tokensSchema } from "../edge/views.ts";
import { createRoute } from "../edge/create-route.ts";

const isPublic = { tags: ["password"], "x-access": "public" as const, security: [] };
const sent = z.object({ status: z.literal("sent") });

interface Parts extends DeviceDeps {
  readonly passwords: Passwords;
  readonly bearer: BearerGuard;
}

function addForgot(app: ServiceApp, { passwords }: Parts): void {
  const forgot = createRoute({
    ...isPublic,
    method: "post",
    path: "/api/auth/password/forgot",
    operationId: "forgotPassword",
    summary: "Send a password reset link by email. The response is always the same",
    request: { body: jsonBody(z.strictObject({ email: emailSchema }), { email: "ann@example.org" }) },
    responses: {
      202: jsonResponse("If the email address has an account, a link was sent", sent, { status: "sent" }),
    },
  });
  app.openapi(forgot, async (c) => {
    await passwords.forgot({ email: c.req.valid("json").email, caller: toCaller(c) });
    return c.json({ status: "sent" as const }, 202);
  });

  const reset = createRoute({
    ...isPublic,
    method: "post",
    path: "/api/auth/password/reset",
    operationId: "resetPassword",
    summary: "Set a password with the token of a link. All sessions end; sign in afterwards",
    request: {
      body: jsonBody(z.strictObject({ token: z.string().min(1).max(100), password: passwordSchema }), {
        token: "rst_…",
        password: "correct horse battery staple",
      }),
    },
    responses: {
      200: jsonResponse("The password is set", z.object({ status: z.literal("password_set") }), {
        status: "password_set",
      }),
    },
    errors: [...writeErrors, "token_invalid", "password_blocked", "unavailable"],
  });
  app.openapi(reset, async (c) => {
    await passwords.reset({ ...c.req.valid("json"), caller: toCaller(c) });
    return c.json({ status: "password_set" as const }, 200);
  });
}

function addChange(app: ServiceApp, parts: Parts): void {
  const change = createRoute({
    ...bearerRoute("password", parts.bearer),
    method: "post",
    path: "/api/auth/password/change",
    operationId: "changePassword",
    summary: "Change the password. All sessions end, and the response contains the tokens of a new session",
    description:
      "Requires a sign-in or `reauth` within the last 10 minutes, or `currentPassword` if the account has no two-factor authentication.",
    request: {
      body: jsonBody(
        z.strictObject({ currentPassword: passwordSchema.optional(), password: passwordSchema }),
        {
          currentPassword: "correct horse battery staple",
          password: "an even longer sentence of mine",
        },
      ),
    },
    responses: {
      200: jsonResponse(
        "The password is changed. These tokens replace the old ones",
        tokensSchema,
        exampleTokens,
      ),
    },
    errors: [
      ...writeErrors,
      "forbidden",
      "reauth_required",
      "invalid_credentials",
      "password_blocked",
      "too_many_attempts",
      "unavailable",
    ],
  });
  app.openapi(change, async (c) => {
    const tokens = await parts.passwords.change(c.var.subject, {
      ...c.req.valid("json"),
      caller: toCaller(c),
    });
    c.header("cache-control", "no-store");
    rememberDevice(c, parts, tokens.user.id);
    return c.json(toTokensView(tokens), 200);
  });
}

function addReauth(app: ServiceApp, parts: Parts): void {
  const reauth = createRoute({
    ...bearerRoute("password", parts.bearer),
    method: "post",
    path: "/api/auth/reauth",
    operationId: "reauthenticate",
    summary: "Reauthenticate, for actions that require a recent sign-in",
    description:
      "Send the password, or a code from email/send-code with purpose reauth, and the verification code if the account uses two-factor authentication.",
    request: {
      body: jsonBody(
        z
          .strictObject({
            password: passwordSchema.optional(),
            emailCode: codeSchema.optional(),
            secondFactor: z
              .strictObject({
                method: z.enum(["totp", "recovery"]).default("totp"),
                code: z.string().min(1).max(40),
              })
              .optional(),
          })
          .refine((body) => body.password !== undefined || body.emailCode !== undefined, {
            error: "password or emailCode is required",
          }),
        { password: "correct horse battery staple" },
      ),
    },
    responses: {
      200: jsonResponse("Proved", z.object({ authenticatedAt: isoTimeSchema }), {
        authenticatedAt: "2025-11-20T12:10:00.000+00:00",
      }),
    },
    errors: [
      ...writeErrors,
      "forbidden",
      "invalid_credentials",
      "code_invalid",
      "too_many_attempts",
      "unavailable",
    ],
  });
  app.openapi(reauth, async (c) => {
    const proof = { ...c.req.valid("json"), caller: toCaller(c) };
    const authenticatedAt = toIsoTime(await parts.passwords.reauthenticate(c.var.subject, proof));
    return c.json({ authenticatedAt }, 200);
  });
}

/** Adds password/forgot, /reset, /change and reauth. */
export function addPasswordRoutes(app: ServiceApp, parts: Parts): void {
  addForgot(app, parts);
  addChange(app, parts);
  addReauth(app, parts);
}
