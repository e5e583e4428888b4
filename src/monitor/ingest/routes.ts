/** Where a new machine exchanges its enrollment key for an ID and a key. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import type { Enrolments } from "./enrolments.ts";
import { createRoute } from "../edge/create-route.ts";

const enrolledSchema = z.object({
  id: z.string(),
  key: z.string().optional().describe("New agent key; absent if the machine keeps its current key"),
  server: z.string().describe("Host and port of the gRPC listener for agents"),
  tls: z.boolean().describe("Whether agents connect with TLS"),
});

const enrolRoute = createRoute({
  method: "post",
  path: "/api/enrol",
  operationId: "enrol",
  tags: ["agents"],
  "x-access": "public",
  summary: "Enroll a machine: exchange an enrollment key from “Add server” for a server ID and an agent key",
  request: {
    body: jsonBody(
      z.strictObject({
        code: z.string().min(1).max(128),
        hostname: z.string().max(255).default(""),
        present: z
          .strictObject({ id: z.string().max(64), key: z.string().max(128) })
          .optional()
          .describe("Current identity of the machine, if it is already enrolled"),
      }),
      { code: "enr_…", hostname: "web-1" },
    ),
  },
  responses: {
    200: jsonResponse("The machine keeps its current key", enrolledSchema),
    201: jsonResponse("The configuration of the agent. The key is not shown again", enrolledSchema, {
      id: "srv_…",
      key: "agk_…",
      server: "status.example.org:443",
      tls: true,
    }),
  },
  errors: [...writeErrors, "unauthenticated", "conflict", "rate_limited"],
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
    const { server, agentKey } = await options.enrolments.redeem({
      ...c.req.valid("json"),
      clientAddress: c.get("clientAddress"),
      requestId: c.get("requestId"),
    });
    c.header("cache-control", "no-store");
    const { address, tls } = options.agentEndpoint(c.req.url);
    const status = agentKey === undefined ? 200 : 201;
    return c.json({ id: server.id, key: agentKey, server: address, tls }, status);
  });
}
