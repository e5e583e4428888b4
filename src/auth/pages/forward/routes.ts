/** Authorization requests of a reverse proxy before it forwards a request to an application. */
import type { Context } from "hono";
import { z } from "@hono/zod-openapi";
import type { AppEnv, ServiceApp } from "../../../kit/http/app.ts";
import { AppError } from "../../../kit/errors.ts";
import { FORWARDED_QUERY } from "../../../kit/http/query-names.ts";
import { isOwnStep } from "../../applications/may-use.ts";
import type { Forward } from "../../forward/forward.ts";
import { createRoute } from "../../edge/create-route.ts";
import { clientIdSchema } from "../../base/ledger-schema.ts";
import { toAssertionClaims, toForwardHeaders } from "../../sessions/validation-views.ts";
import { insufficientProof } from "../../policy/challenge.ts";
import { toMaxAgeSeconds } from "../../policy/policy.ts";
import { type Gate, isNavigation } from "./gate.tsx";
import type { Visits } from "../visit.tsx";
import { showFaultyProxy } from "./faulty-proxy.tsx";
import type { Gateway } from "./opening.ts";

const common = {
  tags: ["tokens"],
  "x-access": "public" as const,
  security: [],
  [FORWARDED_QUERY]: true,
  method: "get" as const,
  responses: {
    204: { description: "Access allowed. The X-Auth- headers identify the user" },
    302: { description: "Redirect to the sign-in page, for a browser that opens a page" },
  },
};

const paramsSchema = z.object({
  application: z
    .string()
    .pipe(clientIdSchema)
    .openapi({ param: { name: "application", in: "path" }, example: "notes" }),
});

interface Parts {
  readonly gate: Gate;
  readonly visits: Visits;
  readonly forward: Pick<Forward, "assert">;
  readonly issuer: string;
}

async function answer(
  c: Context<AppEnv>,
  { gate, forward, issuer }: Parts,
  gateway: Gateway,
): Promise<Response> {
  const { site, visitor } = gateway;
  if (visitor === undefined) {
    if (isNavigation(c)) return gate.begin(c, gateway);
    throw new AppError(
      "unauthenticated",
      `A sign-in is required. Sign in at ${site.origin}/ or send an access token as Bearer`,
    );
  }
  const { subject, missing } = visitor;
  if (missing === undefined) {
    const assertion = await forward.assert(toAssertionClaims(subject, { issuer, clientId: site.client.id }));
    return c.body(null, 204, { ...toForwardHeaders(subject), "x-auth-assertion": assertion });
  }
  if (isNavigation(c)) return isOwnStep(missing) ? gate.begin(c, gateway) : gate.refuse(c, gateway, visitor);
  const { id } = site.client;
  if (isOwnStep(missing))
    throw insufficientProof(missing, {
      id,
      maxAgeSeconds: toMaxAgeSeconds(site.client, subject.rules ?? {}),
    });
  throw new AppError(
    "forbidden",
    missing === "group"
      ? `The account may not use the application "${id}"`
      : `The application "${id}" cannot be used from this network`,
  );
}

/** Errors in the proxy's configuration. */
const SETUP_FAULTS: ReadonlySet<string> = new Set(["bad_request", "not_found"]);

async function handle(c: Context<AppEnv>, parts: Parts, opened: Promise<Gateway>): Promise<Response> {
  let gateway: Gateway;
  try {
    gateway = await opened;
  } catch (error) {
    if (error instanceof AppError && SETUP_FAULTS.has(error.code) && isNavigation(c))
      return showFaultyProxy(c, error, parts);
    throw error;
  }
  return answer(c, parts, gateway);
}

/** Adds GET /api/auth/forward/{application}, and the same without a name. */
export function addForwardRoutes(app: ServiceApp, parts: Parts): void {
  const { gate } = parts;
  const named = createRoute({
    ...common,
    path: "/api/auth/forward/{application}",
    operationId: "forwardAuthForApplication",
    summary:
      "Forward authentication for reverse proxies: checks whether the request in X-Forwarded-Proto, -Host and -Uri may access the application",
    request: { params: paramsSchema },
    errors: [
      "bad_request",
      "unauthenticated",
      "insufficient_user_authentication",
      "forbidden",
      "not_found",
      "store_unavailable",
    ],
  });
  app.openapi(named, (c) => handle(c, parts, gate.openNamed(c, c.req.valid("param").application)));

  const unnamed = createRoute({
    ...common,
    path: "/api/auth/forward",
    operationId: "forwardAuth",
    deprecated: true,
    summary:
      "Forward authentication for the application of X-Forwarded-Host. Available only if the setting unnamedForwardRoute is enabled",
    errors: [
      "bad_request",
      "unauthenticated",
      "insufficient_user_authentication",
      "forbidden",
      "store_unavailable",
    ],
  });
  app.openapi(unnamed, (c) => handle(c, parts, gate.openUnnamed(c)));
}
