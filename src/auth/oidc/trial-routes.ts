/** Claims that an application would get about the calling administrator. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { type AdminMiddleware, adminRoute } from "../edge/admin-views.ts";
import { createRoute } from "../edge/create-route.ts";
import { clientIdSchema } from "../base/ledger-schema.ts";
import { toAssertionClaims, toForwardHeaders } from "../sessions/validation-views.ts";
import { toIdClaims } from "./id-tokens.ts";
import type { Store } from "../../store/store.ts";
import { readCustomClaims } from "./custom-claims.ts";
import { scopes, toClaims, toGrantedScopes } from "./scopes.ts";
import type { Trials } from "./trial.ts";
import { type TrialClaims, trialClaimsSchema, trialFieldsSchema } from "./trial-schema.ts";

const trialSchema = z.object(trialFieldsSchema.shape).openapi("ApplicationTrial");

/** Claims as a token or an answer has them: without members that are undefined. */
function toSent(said: object): TrialClaims {
  return trialClaimsSchema.parse(JSON.parse(JSON.stringify(said)));
}

const person = { preferred_username: "ann", name: "Ann", email: "ann@example.org", email_verified: true };
const example = {
  username: "ann",
  idToken: { iss: "https://accounts.example.org", sub: "usr_…", aud: "notes", ...person, groups: ["family"] },
  userinfo: { sub: "usr_…", ...person, groups: ["family"] },
  headers: { "x-auth-user-id": "usr_…", "x-auth-username": "ann", "x-auth-groups": "family" },
  assertion: { iss: "https://accounts.example.org", sub: "usr_…", aud: "notes", ...person },
};

interface Parts {
  readonly trials: Trials;
  readonly admin: AdminMiddleware;
  readonly issuer: string;
  readonly store: Store;
}

/** Adds GET /api/admin/clients/{id}/trial. */
export function addTrialRoutes(app: ServiceApp, { trials, admin, issuer, store }: Parts): void {
  const route = createRoute({
    ...adminRoute("applications", admin),
    method: "get",
    path: "/api/admin/clients/{id}/trial",
    operationId: "adminTryClient",
    summary:
      "Preview of the claims and headers that an application would receive about the calling administrator. No sign-in takes place and no token is issued",
    request: {
      params: z.object({
        id: z
          .string()
          .pipe(clientIdSchema)
          .openapi({ param: { name: "id", in: "path" }, example: "notes" }),
      }),
      query: z.object({
        scope: z
          .string()
          .max(200)
          .default(scopes.join(" "))
          .openapi({ description: "Scopes that the application requests", example: "openid profile email" }),
      }),
    },
    responses: { 200: jsonResponse("The claims and headers", trialSchema, example) },
    errors: ["not_found", "conflict", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const { client, subject, refusal } = await trials.make(c.req.valid("param").id, {
      userId: c.var.actor.userId,
      address: c.get("clientAddress"),
    });
    const { username } = subject.user;
    c.header("cache-control", "no-store");
    if (refusal !== undefined) return c.json({ username, refusal }, 200);
    const granted = toGrantedScopes(c.req.valid("query").scope);
    const { "cache-control": _, ...headers } = toForwardHeaders(subject);
    const custom = await readCustomClaims(store, subject.user, subject.rules ?? {});
    const target = { issuer, templates: client.claims };
    const signedIn = granted.includes("openid") && {
      idToken: toSent(toIdClaims(client, { ...subject, granted, custom }, issuer)),
      userinfo: toSent({ sub: subject.user.id, ...toClaims({ ...subject, custom }, granted, target) }),
    };
    const assertion = toSent(toAssertionClaims(subject, { issuer, clientId: client.id }));
    return c.json({ username, ...signedIn, headers, assertion }, 200);
  });
}
