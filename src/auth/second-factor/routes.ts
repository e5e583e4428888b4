/** The second factor: switched on in two steps, taken away, and its recovery codes. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { type BearerGuard, bearerRoute } from "../sessions/http/bearer-guard.ts";
import type { SecondFactor } from "./second-factor.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { createRoute } from "../edge/create-route.ts";

const recoverySchema = z.object({ recoveryCodes: z.array(z.string()) });
const exampleCodes = { recoveryCodes: ["4f7k2-9qxwa"] };
const changeErrors = ["forbidden", "reauth_required", "store_unavailable"] as const;

interface Parts {
  readonly secondFactor: SecondFactor;
  readonly bearer: BearerGuard;
}

function addTotp(app: ServiceApp, { secondFactor, bearer }: Parts): void {
  const begin = createRoute({
    ...bearerRoute("second factor", bearer),
    method: "post",
    path: "/api/auth/mfa/totp",
    operationId: "beginTotp",
    summary: "Create a secret for an authenticator app. It is enabled after you confirm it with a code",
    responses: {
      200: jsonResponse(
        "The secret. It is not shown again",
        z.object({ secret: z.string(), uri: z.string() }),
        {
          secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
          uri: "otpauth://totp/Trivet:ann?secret=…",
        },
      ),
    },
    errors: [...changeErrors, "conflict"],
  });
  app.openapi(begin, async (c) => {
    c.header("cache-control", "no-store");
    return c.json(await secondFactor.begin(c.var.subject), 200);
  });

  const confirm = createRoute({
    ...bearerRoute("second factor", bearer),
    method: "post",
    path: "/api/auth/mfa/totp/confirm",
    operationId: "confirmTotp",
    summary: "Enable two-factor authentication with a first code. Returns ten recovery codes",
    request: { body: jsonBody(z.strictObject({ code: z.string().min(1).max(20) }), { code: "123456" }) },
    responses: {
      200: jsonResponse(
        "Two-factor authentication is enabled. The recovery codes are not shown again",
        recoverySchema,
        exampleCodes,
      ),
    },
    errors: [...changeErrors, ...writeErrors, "conflict", "code_invalid", "too_many_attempts"],
  });
  app.openapi(confirm, async (c) => {
    const { code } = c.req.valid("json");
    const recoveryCodes = await secondFactor.confirm(c.var.subject, code, toCaller(c));
    c.header("cache-control", "no-store");
    return c.json({ recoveryCodes }, 200);
  });

  const remove = createRoute({
    ...bearerRoute("second factor", bearer),
    method: "delete",
    path: "/api/auth/mfa/totp",
    operationId: "removeTotp",
    summary: "Disable two-factor authentication",
    responses: { 204: { description: "Two-factor authentication is disabled" } },
    errors: [...changeErrors, "not_found"],
  });
  app.openapi(remove, async (c) => {
    await secondFactor.remove(c.var.subject, toCaller(c));
    return c.body(null, 204);
  });
}

/** Adds the routes below /api/auth/mfa. */
export function addSecondFactorRoutes(app: ServiceApp, parts: Parts): void {
  addTotp(app, parts);
  const renew = createRoute({
    ...bearerRoute("second factor", parts.bearer),
    method: "post",
    path: "/api/auth/mfa/recovery-codes",
    operationId: "renewRecoveryCodes",
    summary: "Replace the recovery codes with ten new ones",
    responses: {
      200: jsonResponse("The recovery codes. They are not shown again", recoverySchema, exampleCodes),
    },
    errors: [...changeErrors, "not_found"],
  });
  app.openapi(renew, async (c) => {
    const recoveryCodes = await parts.secondFactor.renewRecoveryCodes(c.var.subject, toCaller(c));
    c.header("cache-control", "no-store");
    return c.json({ recoveryCodes }, 200);
  });
}
