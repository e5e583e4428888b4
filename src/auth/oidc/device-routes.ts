/** Where a device without a browser asks for the code that a person types elsewhere (RFC 8628 sections 3.1 and 3.2). */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { withQuery } from "../../kit/text/with-query.ts";
import type { Clients } from "../applications/clients.ts";
import type { Refusals } from "../refusals/refusals.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { problemResponses } from "../edge/create-route.ts";
import {
  FORM,
  findClient,
  readForm,
  refuse,
  refuseBody,
  resourceField,
  withSlash,
} from "../applications/http/oauth-form.ts";
import type { ResourceNames } from "../resources/target.ts";
import type { Devices } from "./devices.ts";
import { toTarget } from "./scopes.ts";

export const DEVICE_AUTHORIZATION_PATH = "/oauth/device_authorization";
/** The page where people type the code. */
export const DEVICE_PATH = "/device";

interface Parts {
  readonly clients: Clients;
  readonly devices: Devices;
  readonly refusals: Pick<Refusals, "note">;
  readonly issuer: string;
  readonly resourceNames: ResourceNames;
}

const codesSchema = z
  .object({
    device_code: z.string().openapi({ description: "Device code to send to the token endpoint" }),
    user_code: z.string().openapi({ description: "Code that the user types at verification_uri" }),
    verification_uri: z.string(),
    verification_uri_complete: z
      .string()
      .openapi({ description: "Verification URL that includes the code, for a QR code" }),
    expires_in: z.int(),
    interval: z
      .int()
      .openapi({ description: "Minimum number of seconds between two requests to the token endpoint" }),
  })
  .openapi("DeviceCodes");
const errorSchema = z.object({
  error: z.enum([
    "invalid_request",
    "invalid_client",
    "unauthorized_client",
    "invalid_scope",
    "invalid_target",
  ]),
  error_description: z.string().optional(),
});
const formSchema = z.object({
  client_id: z
    .string()
    .optional()
    .openapi({ description: "Required when the request has no Basic credentials" }),
  client_secret: z.string().optional(),
  scope: z.string().optional(),
  resource: resourceField,
});

/** Adds POST /oauth/device_authorization. */
export function addDeviceRoutes(
  app: ServiceApp,
  { clients, devices, refusals, issuer, resourceNames }: Parts,
): void {
  app.openAPIRegistry.registerPath({
    tags: ["tokens"],
    "x-access": "client",
    security: [{ clientSecret: [] }],
    method: "post",
    path: DEVICE_AUTHORIZATION_PATH,
    operationId: "authorizeDevice",
    summary:
      "Start a device authorization (RFC 8628): returns a user code to display and a device code for /oauth/token",
    request: { body: { required: true, content: { [FORM]: { schema: formSchema } } } },
    responses: {
      200: jsonResponse("The codes", codesSchema),
      400: jsonResponse("The application may not use the device flow, or the body is malformed", errorSchema),
      401: jsonResponse("The client_id is unknown, or the client secret is wrong", errorSchema),
      ...problemResponses("too_large", "rate_limited", "store_unavailable"),
    },
  });
  app.on("POST", withSlash(DEVICE_AUTHORIZATION_PATH), async (c) => {
    const fields = await readForm(c);
    if (fields === undefined) return refuseBody(c);
    const client = await findClient(c, fields, clients);
    if (client === undefined) return refuse(c, "invalid_client");
    const caller = toCaller(c);
    if (!client.deviceFlow) {
      const sent = "The device flow is not enabled for the application. Ask an administrator to enable it";
      refusals.note(client.id, { reason: "request", sent }, caller);
      return refuse(c, "unauthorized_client", sent);
    }
    const target = toTarget(fields, client, resourceNames);
    if ("error" in target) {
      refusals.note(client.id, { reason: "request", sent: target.error_description }, caller);
      return refuse(c, target.error, target.error_description);
    }
    const codes = await devices.begin(client, { target, caller });
    c.header("cache-control", "no-store");
    return c.json({
      device_code: codes.deviceCode,
      user_code: codes.userCode,
      verification_uri: issuer + DEVICE_PATH,
      verification_uri_complete: withQuery(issuer + DEVICE_PATH, { user_code: codes.userCode }),
      expires_in: codes.expiresIn,
      interval: codes.interval,
    });
  });
}
