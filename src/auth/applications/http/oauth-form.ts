/**
 * Shared by the endpoints for applications: form bodies, client credentials, errors (RFC 6749 sections 2.3.1 and 5.2).
 */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv } from "../../../kit/http/app.ts";
import { readFields, toMediaType } from "../../../kit/http/request-body.ts";
import type { Clients } from "../clients.ts";
import type { ClientRecord } from "../schema.ts";
import { ASSERTION_TYPE, readAssertionSubject } from "../../client-keys/assertions.ts";
import { readBasic } from "../../edge/basic.ts";

export const FORM = "application/x-www-form-urlencoded";
/** An assertion in the form of a JWT is the longest. */
const MAX_FIELD = 4_000;
/** The only field that may come several times (RFC 8707 section 2); spaces part its values once it is read. */
const REPEATABLE = "resource";

/** Instead of a secret (RFC 7523 section 2.2). */
export const assertionFields = {
  client_assertion_type: z.literal(ASSERTION_TYPE).optional(),
  client_assertion: z
    .string()
    .optional()
    .openapi({ description: "JWT signed by the application (RFC 7523)" }),
};

export const resourceField = z
  .string()
  .or(z.array(z.string()))
  .optional()
  .openapi({ description: "Resource that the token is for (RFC 8707). Can be repeated" });
/** How applications authenticate (RFC 7617). */
export const BASIC_CHALLENGE = 'Basic realm="applications", charset="UTF-8"';

/** The default description of each code (RFC 6749 section 5.2). */
const descriptions: Readonly<Record<string, string>> = {
  invalid_client: "No enabled application has this client_id, or the secret is wrong",
  invalid_grant: "The code or token is invalid, expired, or was issued to another application",
  invalid_request: "The request is malformed",
  invalid_scope: "The scope was not granted",
  invalid_target: "The resource was not granted",
  unauthorized_client: "The application may not use this grant type",
  unsupported_grant_type: "The grant type is not supported",
  authorization_pending: "The user has not approved the request yet",
  slow_down: "Polling too fast. Increase the interval by 5 seconds",
  access_denied: "The user denied the request",
  expired_token: "The device code has expired",
};

/** An endpoint's path as it is announced, and with the slash at its end that some programs add. */
export function withSlash(path: string): string[] {
  return [path, `${path}/`];
}

/** The fields, each once but for {@link REPEATABLE}; undefined for another kind of body, and for one longer than `maxField`. */
export async function readForm(
  c: Context<AppEnv>,
  maxField: number = MAX_FIELD,
): Promise<Map<string, string> | undefined> {
  const type = toMediaType(c.req.header("content-type"));
  if (type !== FORM) return undefined;
  const fields = await readFields(c);
  const named = fields.getAll(REPEATABLE);
  if (named.length > 0) fields.set(REPEATABLE, named.join(" "));
  const read = new Map(fields);
  const isPlain = [...fields.values()].every((value) => value.length <= maxField);
  return isPlain && read.size === [...fields.keys()].length ? read : undefined;
}

/** "%2B" and "+" as form encoding has them (RFC 6749 section 2.3.1). */
function decodeForm(text: string): string {
  return new URLSearchParams(`v=${text}`).get("v") ?? "";
}

/** The client credentials of the Authorization header, if any. */
export function readCredentials(c: Context<AppEnv>): { id: string; secret: string } | undefined {
  const basic = readBasic(c.req.header("authorization"));
  return basic && { id: decodeForm(basic.id), secret: decodeForm(basic.secret) };
}

/** The application that asks, once its secret is right. */
export function findClient(
  c: Context<AppEnv>,
  fields: { get(name: string): string | undefined },
  clients: Pick<Clients, "authenticate">,
): Promise<ClientRecord | undefined> {
  const sent = { id: fields.get("client_id") ?? "", secret: fields.get("client_secret") };
  const basic = readCredentials(c);
  const assertion = fields.get("client_assertion");
  if (assertion !== undefined || fields.get("client_assertion_type") !== undefined) {
    const id = readAssertionSubject(assertion ?? "");
    // One way to prove who it is (RFC 6749 section 2.3), in one name.
    const isAlone = basic === undefined && sent.secret === undefined && (sent.id === "" || sent.id === id);
    const isKnown = fields.get("client_assertion_type") === ASSERTION_TYPE && assertion !== undefined;
    return isAlone && isKnown ? clients.authenticate(id, { assertion }) : Promise.resolve(undefined);
  }
  // One request names one application (RFC 6749 section 2.3).
  if (basic !== undefined && sent.id !== "" && sent.id !== basic.id) return Promise.resolve(undefined);
  const { id, secret } = basic ?? sent;
  // Programs without a secret send an empty one, or none (RFC 6749 section 2.3.1).
  return clients.authenticate(id, secret === "" ? undefined : secret);
}

/** A refusal as programs read it. */
export function refuse(
  c: Context<AppEnv>,
  error: string,
  description: string = descriptions[error] ?? "The request was rejected",
): Response {
  c.header("cache-control", "no-store");
  c.set("refusal", error);
  const body = { error, error_description: description };
  if (error !== "invalid_client") return c.json(body, 400);
  // Required where the application sent the header, and allowed elsewhere (RFC 6749 section 5.2).
  if (c.req.header("authorization") !== undefined) c.header("www-authenticate", BASIC_CHALLENGE);
  return c.json(body, 401);
}

/** The refusal of a body that {@link readForm} cannot read. */
export function refuseBody(c: Context<AppEnv>): Response {
  return refuse(c, "invalid_request", `The body must be ${FORM} without repeated fields`);
}
