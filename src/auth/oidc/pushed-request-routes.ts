/** Where applications send authorization requests ahead (RFC 9126 section 2). */
import { z } from "@hono/zod-openapi";
import type { LimitSource } from "../../bus/shared-limit.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { Clients } from "../applications/clients.ts";
import type { ClientRecord } from "../applications/schema.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { problemResponses } from "../edge/create-route.ts";
import {
  FORM,
  findClient,
  resourceField,
  readForm,
  refuse,
  refuseBody,
  withSlash,
} from "../applications/http/oauth-form.ts";
import type { ResourceNames } from "../resources/target.ts";
import type { Refusals } from "../refusals/refusals.ts";
import { type RequestProblem, readAuthorizationRequest, readParameters } from "./authorization-request.ts";
import type { PushedRequests } from "./pushed-requests.ts";
import { isRegistered } from "./redirect-uris.ts";

interface Parts {
  readonly clients: Pick<Clients, "authenticate">;
  readonly refusals: Pick<Refusals, "note">;
  readonly pushedRequests: Pick<PushedRequests, "push">;
  readonly limits: LimitSource;
  readonly resourceNames: ResourceNames;
}

const PATH = "/oauth/par";
/** All values of a request together; it becomes the query of an address. */
const MAX_LENGTH = 6_000;
/** Per minute and address, for public applications, whose name anyone may use. */
const OPEN_LIMIT = { limit: 60, windowMs: 60_000 };

const answerSchema = z
  .object({ request_uri: z.string(), expires_in: z.int() })
  .openapi("PushedAuthorizationRequest");
const errorSchema = z
  .object({ error: z.string(), error_description: z.string().optional() })
  .openapi("PushedAuthorizationError");
const formSchema = z.object({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  response_type: z.literal("code"),
  redirect_uri: z.string(),
  scope: z.string().optional(),
  resource: resourceField,
  state: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.literal("S256").optional(),
});

/** Validation errors, returned before a browser uses the request. */
function findProblem(
  fields: ReadonlyMap<string, string>,
  client: ClientRecord,
  resourceNames: ResourceNames,
): RequestProblem | undefined {
  const invalid = (error_description: string) => ({ error: "invalid_request", error_description });
  if (fields.has("request_uri"))
    return invalid("request_uri is not allowed here: this endpoint issues the request_uri");
  if ([...fields.values()].join("").length > MAX_LENGTH)
    return invalid(`The request is longer than ${MAX_LENGTH} characters`);
  if (!isRegistered(fields.get("redirect_uri") ?? "", client.redirectUris))
    return invalid("The application has not registered this redirect_uri");
  const read = readAuthorizationRequest({ parameters: fields, repeated: new Set() }, client, resourceNames);
  return "error" in read ? read : undefined;
}

function describe(app: ServiceApp): void {
  app.openAPIRegistry.registerPath({
    tags: ["tokens"],
    "x-access": "client",
    security: [{ clientSecret: [] }],
    method: "post",
    path: PATH,
    operationId: "oauthPushRequest",
    summary: "Push an authorization request (RFC 9126). The browser then only carries the request_uri",
    request: { body: { required: true, content: { [FORM]: { schema: formSchema } } } },
    responses: {
      201: jsonResponse("The request_uri for /oauth/authorize. It works once", answerSchema),
      400: jsonResponse("The authorization request is invalid", errorSchema),
      401: jsonResponse("The client_id is unknown, or the client secret is wrong", errorSchema),
      429: jsonResponse("Too many requests of public applications from this address", errorSchema),
      ...problemResponses("too_large", "store_unavailable"),
    },
  });
}

/** Adds POST /oauth/par. */
export function addPushedRequestRoutes(app: ServiceApp, parts: Parts): void {
  const { clients, refusals, pushedRequests } = parts;
  const open = parts.limits.create("pushed-requests", OPEN_LIMIT);
  describe(app);
  app.on("POST", withSlash(PATH), async (c) => {
    const sent = await readForm(c);
    if (sent === undefined) return refuseBody(c);
    const client = await findClient(c, sent, clients);
    if (client === undefined) return refuse(c, "invalid_client");
    if (client.clientType === "public") {
      const key = addressKey(c.get("clientAddress"));
      const { allowed, retryAfterSeconds } = open.hit(key);
      if (!allowed)
        return c.json({ error: "slow_down" }, 429, {
          "cache-control": "no-store",
          "retry-after": String(retryAfterSeconds),
        });
    }
    const { parameters } = readParameters(sent);
    const fields = new Map([...parameters, ["client_id", client.id]]);
    const problem = findProblem(fields, client, parts.resourceNames);
    if (problem !== undefined) {
      const { error, error_description: said } = problem;
      const redirectUri = fields.get("redirect_uri");
      const isAddress = !isRegistered(redirectUri ?? "", client.redirectUris);
      const refused = isAddress
        ? ({ reason: "redirect_uri", sent: redirectUri } as const)
        : ({ reason: "request", sent: said } as const);
      refusals.note(client.id, refused, toCaller(c));
      return refuse(c, error, said);
    }
    const { requestUri, expiresIn } = await pushedRequests.push(client.id, fields);
    const answer = { request_uri: requestUri, expires_in: expiresIn };
    return c.json(answer, 201, { "cache-control": "no-store" });
  });
}
