/** What the endpoints for applications share: form bodies, the application's own credentials, refusals (RFC 6749 sections 2.3.1 and 5.2). */
import type { Context } from "hono";
import type { AppEnv } from "../../kit/http/app.ts";
import { toMediaType } from "../../kit/http/request-body.ts";
import type { Clients } from "../applications/clients.ts";
import type { ClientRecord } from "../applications/schema.ts";
import { readBasic } from "./basic.ts";

export const FORM = "application/x-www-form-urlencoded";
const MAX_FIELD = 2_000;

/** An endpoint's path as it is announced, and with the slash at its end that some programs add. */
export function withSlash(path: string): string[] {
  return [path, `${path}/`];
}

/** The fields, each once; undefined for another kind of body, and for one longer than `maxField`. */
export async function readForm(
  c: Context<AppEnv>,
  maxField: number = MAX_FIELD,
): Promise<Map<string, string> | undefined> {
  const type = toMediaType(c.req.header("content-type"));
  if (type !== FORM) return undefined;
  const fields = new URLSearchParams(await c.req.text());
  const read = new Map(fields);
  const isPlain = [...fields.values()].every((value) => value.length <= maxField);
  return isPlain && read.size === [...fields.keys()].length ? read : undefined;
}

/** "%2B" and "+" as form encoding has them (RFC 6749 section 2.3.1). */
function decodeForm(text: string): string {
  return new URLSearchParams(`v=${text}`).get("v") ?? "";
}

/** What the Authorization header says of the application, if anything. */
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
  const { id, secret } = readCredentials(c) ?? sent;
  // Programs without a secret send an empty one, or none (RFC 6749 section 2.3.1).
  return clients.authenticate(id, secret === "" ? undefined : secret);
}

/** A refusal as programs read it. */
export function refuse(c: Context<AppEnv>, error: string, description?: string): Response {
  c.header("cache-control", "no-store");
  const body = { error, ...(description === undefined ? {} : { error_description: description }) };
  if (error !== "invalid_client") return c.json(body, 400);
  // Who sent the header is told which kind is taken (RFC 6749 section 5.2).
  if (c.req.header("authorization") !== undefined) c.header("www-authenticate", "Basic");
  return c.json(body, 401);
}

/** The refusal of a body that {@link readForm} cannot read. */
export function refuseBody(c: Context<AppEnv>): Response {
  return refuse(c, "invalid_request", `The body must be ${FORM}, each field once`);
}
