/** Where a new machine exchanges its enrolment code for its id and key. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, problemResponses, writeErrors } from "../../kit/http/schemas.ts";
import type { Enrolments } from "./enrolments.ts";

const enrolRoute = createRoute({
  method: "post",
  path: "/api/enrol",
  operationId: "enrol",
  tags: ["agents"],
  "x-access": "public",
  summary: "Exchange an enrolment code, once",
  request: {
    body: jsonBody(
      z.strictObject({
        code: z.string().min(1).max(128),
        hostname: z.string().max(255).default(""),
      }),
      { code: "enr_…", hostname: "web-1" },
    ),
  },
  responses: {
    201: {
      description: "What the agent needs; the key is shown this once",
      content: {
        "application/json": {
          schema: z.object({
            id: z.string(),
            key: z.string(),
            server: z.string().openapi({ description: "Host and port where agents connect over gRPC" }),
            tls: z.boolean().openapi({ description: "Whether they connect there with TLS" }),
          }),
          example: { id: "srv_…", key: "agk_…", server: "status.example.org:443", tls: true },
        },
      },
    },
    ...problemResponses(...writeErrors, "unauthenticated", "conflict", "rate_limited"),
  },
});

/** Where agents connect: "host:port", and whether with TLS. */
export interface AgentEndpoint {
  readonly address: string;
  readonly tls: boolean;
}

/** Adds POST /api/enrol. `agentEndpoint` says where agents connect, seen from this request. */
export function addEnrolRoute(
  app: ServiceApp,
  options: {
    enrolments: Pick<Enrolments, "redeem">;
    agentEndpoint: (requestUrl: string) => AgentEndpoint;
  },
): void {
  app.openapi(enrolRoute, async (c) => {
    const { code, hostname } = c.req.valid("json");
    const { server, agentKey } = await options.enrolments.redeem({
      code,
      hostname,
      clientAddress: c.get("clientAddress"),
      requestId: c.get("requestId"),
    });
    c.header("cache-control", "no-store");
    const { address, tls } = options.agentEndpoint(c.req.url);
    return c.json({ id: server.id, key: agentKey, server: address, tls }, 201);
  });
}
