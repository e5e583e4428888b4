/** The passkeys of who asks, and a passkey as fresh proof. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageSchema } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import { recordIdParams } from "../edge/admin-views.ts";
import { type BearerGuard, bearerRoute } from "../sessions/http/bearer-guard.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { createRoute } from "../edge/create-route.ts";
import {
  begunSchema,
  challengeIdSchema,
  exampleAssertion,
  exampleBegun,
  exampleRegistration,
  examplePasskey,
  passkeySchema,
  toPasskey,
} from "./passkey-views.ts";
import type { PasskeySignIn } from "./passkey-sign-in.ts";
import type { Passkeys } from "./passkeys.ts";
import { assertionResponseSchema, passkeyLabelSchema, registrationResponseSchema } from "./schema.ts";

const PATH = "/api/auth/me/passkeys";
const changeErrors = ["forbidden", "reauth_required", "store_unavailable"] as const;

interface Parts {
  readonly passkeys: Passkeys;
  readonly passkeySignIn: PasskeySignIn;
  readonly bearer: BearerGuard;
}

function addAdding(app: ServiceApp, { passkeys, bearer }: Parts): void {
  const begin = createRoute({
    ...bearerRoute("passkeys", bearer),
    method: "post",
    path: `${PATH}/options`,
    operationId: "beginPasskey",
    summary: "Start adding a passkey: returns the creation options. Requires a recent sign-in",
    responses: { 200: jsonResponse("Options for navigator.credentials.create()", begunSchema, exampleBegun) },
    errors: ["forbidden", "reauth_required", "passkey_limit", "unavailable"],
  });
  app.openapi(begin, async (c) => {
    c.header("cache-control", "no-store");
    return c.json({ ...(await passkeys.registration.begin(c.var.subject)) }, 200);
  });

  const add = createRoute({
    ...bearerRoute("passkeys", bearer),
    method: "post",
    path: PATH,
    operationId: "addPasskey",
    summary: "Add the passkey from navigator.credentials.create() (up to 20)",
    request: {
      body: jsonBody(
        z.strictObject({
          challengeId: challengeIdSchema,
          response: registrationResponseSchema,
          label: passkeyLabelSchema.optional(),
        }),
        exampleRegistration,
      ),
    },
    responses: {
      201: jsonResponse("The passkey. It can be used to sign in from now on", passkeySchema, examplePasskey),
    },
    errors: [
      ...writeErrors,
      ...changeErrors,
      "passkey_invalid",
      "passkey_limit",
      "passkey_known",
      "unavailable",
    ],
  });
  app.openapi(add, async (c) => {
    const answer = { ...c.req.valid("json"), caller: toCaller(c) };
    return c.json(toPasskey(await passkeys.registration.add(c.var.subject, answer)), 201);
  });
}

function addKeeping(app: ServiceApp, { passkeys, bearer }: Parts): void {
  const list = createRoute({
    ...bearerRoute("passkeys", bearer),
    method: "get",
    path: PATH,
    operationId: "listPasskeys",
    summary: "List the passkeys of the account, oldest first",
    responses: {
      200: jsonResponse("The passkeys", pageSchema(passkeySchema), { items: [examplePasskey] }),
    },
  });
  app.openapi(list, async (c) => {
    const all = await passkeys.list(c.var.subject.user.id);
    return c.json({ items: all.map((passkey) => toPasskey(passkey)) }, 200);
  });

  const rename = createRoute({
    ...bearerRoute("passkeys", bearer),
    method: "patch",
    path: `${PATH}/{id}`,
    operationId: "renamePasskey",
    summary: "Rename a passkey",
    request: {
      params: recordIdParams,
      body: jsonBody(z.strictObject({ label: passkeyLabelSchema }), { label: "Phone" }),
    },
    responses: { 200: jsonResponse("The updated passkey", passkeySchema, examplePasskey) },
    errors: [...writeErrors, "forbidden", "not_found"],
  });
  app.openapi(rename, async (c) => {
    const { label } = c.req.valid("json");
    const renamed = await passkeys.rename(c.var.subject, c.req.valid("param").id, label);
    return c.json(toPasskey(renamed), 200);
  });

  const remove = createRoute({
    ...bearerRoute("passkeys", bearer),
    method: "delete",
    path: `${PATH}/{id}`,
    operationId: "removePasskey",
    summary: "Remove a passkey. Requires a recent sign-in. The last sign-in method cannot be removed",
    request: { params: recordIdParams },
    responses: { 204: { description: "Deleted" } },
    errors: [...changeErrors, "invalid", "not_found", "last_way_in"],
  });
  app.openapi(remove, async (c) => {
    await passkeys.remove(c.var.subject, c.req.valid("param").id, toCaller(c));
    return c.body(null, 204);
  });
}

function addProof(app: ServiceApp, { passkeySignIn, bearer }: Parts): void {
  const begin = createRoute({
    ...bearerRoute("passkeys", bearer),
    method: "post",
    path: `${PATH}/proof/options`,
    operationId: "beginPasskeyProof",
    summary: "Start reauthentication with a passkey: returns the request options",
    responses: {
      200: jsonResponse("Options for navigator.credentials.get()", begunSchema, exampleBegun),
    },
    errors: ["not_found", "unavailable"],
  });
  app.openapi(begin, async (c) => {
    c.header("cache-control", "no-store");
    return c.json({ ...(await passkeySignIn.proof.begin(c.var.subject)) }, 200);
  });

  const finish = createRoute({
    ...bearerRoute("passkeys", bearer),
    method: "post",
    path: `${PATH}/proof`,
    operationId: "provePasskey",
    summary: "Reauthenticate, for actions that require a recent sign-in",
    request: {
      body: jsonBody(
        z.strictObject({ challengeId: challengeIdSchema, response: assertionResponseSchema }),
        exampleAssertion,
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
      "passkey_invalid",
      "passkey_unknown",
      "passkey_unverified",
      "too_many_attempts",
      "unavailable",
    ],
  });
  app.openapi(finish, async (c) => {
    const answer = { ...c.req.valid("json"), caller: toCaller(c) };
    const authenticatedAt = toIsoTime(await passkeySignIn.proof.finish(c.var.subject, answer));
    return c.json({ authenticatedAt }, 200);
  });
}

/** Adds /api/auth/me/passkeys. */
export function addMyPasskeyRoutes(app: ServiceApp, parts: Parts): void {
  addAdding(app, parts);
  addProof(app, parts);
  addKeeping(app, parts);
}
