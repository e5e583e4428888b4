/** Registration and the proof of a mailbox. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import {
  displayNameSchema,
  emailSchema,
  localeSchema,
  passwordSchema,
  signUpMessageSchema,
  usernameSchema,
} from "../accounts/schema.ts";
import { findSubject } from "../sessions/http/bearer-guard.ts";
import { toCaller } from "../sessions/http/callers.ts";
import type { CodeSending } from "../codes/code-sending.ts";
import type { Activity } from "../sessions/activity.ts";
import type { AccessTokens } from "../sessions/access-tokens.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Registration } from "./registration.ts";
import { type DeviceDeps, rememberDevice } from "../sessions/http/device-cookie.ts";
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

const common = { tags: ["registration"], "x-access": "public", security: [] };
const sentSchema = z.object({
  status: z.literal("verification_sent"),
  registrationId: z.string(),
  challengeId: challengeIdSchema,
});
const pendingSchema = z.object({ status: z.literal("approval_pending") });

interface Parts extends DeviceDeps {
  readonly registration: Registration;
  readonly codeSending: CodeSending;
  readonly sessions: Sessions;
  readonly accessTokens: Pick<AccessTokens, "find">;
  readonly activity: Activity;
}

function addRegister(app: ServiceApp, parts: Parts): void {
  const route = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/register",
    operationId: "register",
    summary:
      "Register. A verification code is sent to the email address, whether or not it already has an account",
    request: {
      body: jsonBody(
        z.strictObject({
          username: usernameSchema,
          email: emailSchema,
          password: passwordSchema,
          displayName: displayNameSchema.optional(),
          inviteCode: z.string().max(64).optional(),
          termsVersion: z.string().max(40).optional(),
          message: signUpMessageSchema.optional().openapi({
            description:
              "Message to the administrators who approve accounts. Stored only where approval is required, until the decision",
          }),
          locale: localeSchema.optional(),
        }),
        { username: "ann", email: "ann@example.org", password: "correct horse battery staple" },
      ),
    },
    responses: {
      201: jsonResponse(
        "Registered and signed in, because no verification is required",
        tokensSchema,
        exampleTokens,
      ),
      202: jsonResponse(
        "A verification email was sent, or an administrator must approve the account",
        z.union([sentSchema, pendingSchema]),
        {
          status: "verification_sent",
          registrationId: "reg_01jd5v6m0c8f3k2n7q4x9y1z5a",
          challengeId: exampleChallengeId,
        },
      ),
    },
    errors: [
      ...writeErrors,
      "registration_closed",
      "invite_invalid",
      "username_taken",
      "email_taken",
      "password_blocked",
      "terms_required",
      "rate_limited",
      "unavailable",
    ],
  });
  app.openapi(route, async (c) => {
    const registered = await parts.registration.register({ ...c.req.valid("json"), caller: toCaller(c) });
    c.header("cache-control", "no-store");
    if (registered.kind === "tokens") {
      rememberDevice(c, parts, registered.tokens.user.id);
      return c.json(toTokensView(registered.tokens), 201);
    }
    if (registered.kind === "pending") return c.json({ status: "approval_pending" as const }, 202);
    const { registrationId, challengeId } = registered;
    return c.json({ status: "verification_sent" as const, registrationId, challengeId }, 202);
  });
}

function addSendCode(app: ServiceApp, parts: Parts): void {
  const route = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/email/send-code",
    operationId: "sendEmailCode",
    summary: "Send a code to an email address. The response is always the same",
    request: {
      body: jsonBody(
        z.strictObject({
          email: emailSchema,
          purpose: z.enum(["verify", "login", "reauth"]).default("verify"),
        }),
        { email: "ann@example.org", purpose: "login" },
      ),
    },
    responses: {
      202: jsonResponse(
        "If the email address is eligible, a code was sent",
        z.object({ status: z.literal("sent"), challengeId: challengeIdSchema }),
        { status: "sent", challengeId: exampleChallengeId },
      ),
    },
  });
  app.openapi(route, async (c) => {
    const { email, purpose } = c.req.valid("json");
    const subject = await findSubject(c, parts);
    const challengeId = await parts.codeSending.send({ email, purpose, caller: toCaller(c), subject });
    return c.json({ status: "sent" as const, challengeId }, 202);
  });
}

function addVerify(app: ServiceApp, parts: Parts): void {
  const route = createRoute({
    ...common,
    method: "post",
    path: "/api/auth/email/verify",
    operationId: "verifyEmail",
    summary: "Verify an email address with its code. Activates the account and signs in",
    request: {
      body: jsonBody(
        z.strictObject({
          email: emailSchema,
          code: codeSchema,
          challengeId: challengeIdSchema.optional(),
          enrol: z.boolean().default(false).openapi({ description: "Same as in POST /api/auth/login" }),
        }),
        { email: "ann@example.org", code: "1234 5678", challengeId: exampleChallengeId },
      ),
    },
    responses: {
      200: jsonResponse("Signed in, or a two-factor challenge", signedInSchema, exampleTokens),
      202: jsonResponse(
        "The email address is verified. An administrator must approve the account",
        pendingSchema,
      ),
    },
    errors: [
      ...writeErrors,
      "code_invalid",
      "mfa_enrolment_required",
      "too_many_attempts",
      "unavailable",
      "username_taken",
      "email_taken",
    ],
  });
  app.openapi(route, async (c) => {
    const subject = await findSubject(c, parts);
    const { enrol: mayEnrol, ...proof } = c.req.valid("json");
    const caller = { ...toCaller(c), mayEnrol };
    const verified = await parts.registration.verify({ ...proof, caller, subject });
    c.header("cache-control", "no-store");
    if (verified.kind === "pending") return c.json({ status: "approval_pending" as const }, 202);
    if (verified.kind === "tokens") rememberDevice(c, parts, verified.tokens.user.id);
    return c.json(toSignedInView(verified), 200);
  });
}

/** Adds register, email/send-code and email/verify. */
export function addRegistrationRoutes(app: ServiceApp, parts: Parts): void {
  addRegister(app, parts);
  addSendCode(app, parts);
  addVerify(app, parts);
}
