/** Where applications end what they hold (RFC 7009). */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { Clients } from "../applications/clients.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { problemResponses } from "../edge/create-route.ts";
import {
  FORM,
  findClient,
  readForm,
  refuse,
  refuseBody,
  withSlash,
} from "../applications/http/oauth-form.ts";
import type { MachineTokens } from "../machines/machine-tokens.ts";
import type { Revocation } from "../sessions/revocation.ts";

interface Parts {
  readonly clients: Pick<Clients, "authenticate">;
  readonly revocation: Pick<Revocation, "revoke">;
  readonly machineTokens: Pick<MachineTokens, "revoke">;
}

const PATH = "/oauth/revoke";
/** A JWT's scopes and audiences take room. */
const MAX_FIELD = 8_192;

const errorSchema = z
  .object({
    error: z.enum(["invalid_request", "invalid_client", "invalid_grant"]),
    error_description: z.string().optional(),
  })
  .openapi("RevocationError");
const formSchema = z.object({
  token: z.string(),
  token_type_hint: z
    .string()
    .optional()
    .openapi({ description: "Ignored: access and refresh tokens are both checked" }),
  client_id: z
    .string()
    .optional()
    .openapi({ description: "Sent with client_secret when the request has no Basic credentials" }),
  client_secret: z.string().optional(),
});

/** Adds POST /oauth/revoke. */
export function addRevocationRoutes(app: ServiceApp, { clients, revocation, machineTokens }: Parts): void {
  app.openAPIRegistry.registerPath({
    tags: ["tokens"],
    "x-access": "client",
    security: [{ clientSecret: [] }],
    method: "post",
    path: PATH,
    operationId: "oauthRevoke",
    summary: "Revoke the tokens of a sign-in by its access or refresh token (RFC 7009)",
    request: { body: { required: true, content: { [FORM]: { schema: formSchema } } } },
    responses: {
      200: jsonResponse("The token is revoked, or was invalid before", z.object({}), {}),
      400: jsonResponse("The token is missing or belongs to another application", errorSchema),
      401: jsonResponse("The client_id is unknown, or the client secret is wrong", errorSchema),
      ...problemResponses("too_large", "store_unavailable"),
    },
  });
  app.on("POST", withSlash(PATH), async (c) => {
    const fields = await readForm(c, MAX_FIELD);
    if (fields === undefined) return refuseBody(c);
    const client = await findClient(c, fields, clients);
    if (client === undefined) return refuse(c, "invalid_client");
    const token = fields.get("token") ?? "";
    if (token === "") return refuse(c, "invalid_request", "token is missing");
    const machine = await machineTokens.revoke(client.id, token);
    const revoked = machine ?? (await revocation.revoke(client.id, token, toCaller(c)));
    if (revoked === "foreign")
      return refuse(c, "invalid_grant", "The token was issued to another application");
    // Clients ignore it (RFC 7009 section 2.2), but some, such as simple-oauth2, fail on what is not JSON.
    return c.json({}, 200, { "cache-control": "no-store" });
  });
}
