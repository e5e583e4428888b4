/** The keys that tokens are signed with: public (RFC 7517), rotated by administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { type AdminMiddleware, adminRoute } from "../edge/admin-views.ts";
import { createRoute } from "../edge/create-route.ts";
import type { SigningKeyRecord } from "./schema.ts";
import type { SigningKeys } from "./signing-keys.ts";

interface Parts {
  readonly signingKeys: Pick<SigningKeys, "complete" | "list" | "rotate">;
  readonly admin: AdminMiddleware;
}

const keySchema = z
  .object({
    id: z.string().openapi({ description: "The kid header of tokens signed with this key" }),
    algorithm: z.string(),
    createdAt: isoTime,
    signsFrom: isoTime,
    retiresAt: isoTime,
    expiresAt: isoTime,
  })
  .openapi("SigningKey");
const listSchema = z.object({ items: z.array(keySchema) });
const exampleKey = {
  id: "key_…",
  algorithm: "RS256",
  createdAt: "2025-11-20T12:10:00.000+00:00",
  signsFrom: "2025-11-20T12:20:00.000+00:00",
  retiresAt: "2026-02-18T12:20:00.000+00:00",
  expiresAt: "2026-03-20T12:20:00.000+00:00",
};
const toView = createView(keySchema);

function toKeyView(key: SigningKeyRecord): z.infer<typeof keySchema> {
  const { createdAt, signsFrom = createdAt, publicJwk } = key;
  return toView({ ...key, signsFrom }, { algorithm: publicJwk["alg"] ?? "" });
}

function addAdminRoutes(app: ServiceApp, { signingKeys, admin }: Parts): void {
  const list = createRoute({
    ...adminRoute("applications", admin),
    method: "get",
    path: "/api/admin/signing-keys",
    operationId: "adminListSigningKeys",
    summary:
      "List the signing keys, newest first. A key signs until retiresAt, and its tokens are accepted until expiresAt",
    responses: { 200: jsonResponse("The keys", listSchema, { items: [exampleKey] }) },
    errors: ["store_unavailable"],
  });
  app.openapi(list, async (c) => c.json({ items: (await signingKeys.list()).map(toKeyView) }, 200));

  const rotate = createRoute({
    ...adminRoute("applications", admin),
    method: "post",
    path: "/api/admin/signing-keys/rotate",
    operationId: "adminRotateSigningKeys",
    "x-scope": "auth-settings:write",
    summary:
      "Rotate the signing keys. The new keys sign after ten minutes; with withdraw, immediately, and all tokens of the current keys become invalid",
    request: {
      body: jsonBody(z.strictObject({ withdraw: z.boolean().default(false) }), { withdraw: false }),
    },
    responses: { 200: jsonResponse("The keys", listSchema, { items: [exampleKey] }) },
    errors: [...writeErrors, "conflict"],
  });
  app.openapi(rotate, async (c) => {
    await signingKeys.rotate(c.req.valid("json"), c.var.actor);
    return c.json({ items: (await signingKeys.list()).map(toKeyView) }, 200);
  });
}

/** Adds the key set, and the routes below /api/admin/signing-keys. */
export function addSigningKeyRoutes(app: ServiceApp, parts: Parts): void {
  const keys = createRoute({
    tags: ["tokens"],
    "x-access": "public",
    security: [],
    method: "get",
    path: "/api/auth/jwks",
    operationId: "getJwks",
    summary: "Public keys for verifying JWTs (RFC 7517)",
    responses: {
      200: jsonResponse("The key set", z.object({ keys: z.array(z.record(z.string(), z.string())) }), {
        keys: [{ kty: "OKP", crv: "Ed25519", x: "…", kid: "key_…", alg: "EdDSA", use: "sig" }],
      }),
    },
    errors: ["store_unavailable"],
  });
  app.openapi(keys, async (c) => {
    await parts.signingKeys.complete();
    c.header("cache-control", "public, max-age=300");
    return c.json({ keys: (await parts.signingKeys.list()).map(({ publicJwk }) => publicJwk) }, 200);
  });
  addAdminRoutes(app, parts);
}
