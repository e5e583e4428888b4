/** Keys for new machines, as administrators make, list and end them. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import type { EnrolmentRecord } from "../base/schema.ts";
import {
  type OpenEnrolmentView,
  enrolmentRequestSchema,
  enrolmentSchema,
  openEnrolmentSchema,
} from "./enrolment-schema.ts";
import type { Enrolments } from "./enrolments.ts";
import { toInstallLine } from "../install/routes.ts";
import type { PublicAddress } from "../base/public-url.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

const DAY_SECONDS = 86_400;
const PATH = "/api/admin/enrolments";

export interface EnrolmentRoutesOptions {
  readonly enrolments: Pick<Enrolments, "create" | "list" | "remove">;
  readonly guard: MiddlewareHandler<GuardEnv>;
  /** Where machines reach this monitor over HTTP. */
  readonly toUrl: (requestUrl: string) => string;
  readonly address: PublicAddress;
}

function toView(record: EnrolmentRecord): OpenEnrolmentView {
  const { id, serverId, newServerId, fields, usesLeft = 1, createdAt, expiresAt } = record;
  const times = { createdAt: toIsoTime(createdAt), expiresAt: toIsoTime(expiresAt) };
  return { id, serverId: serverId ?? newServerId, fields, usesLeft, ...times };
}

function addCreate(app: ServiceApp, options: EnrolmentRoutesOptions): void {
  const route = createRoute({
    ...adminRoute("servers", options.guard),
    method: "post",
    path: PATH,
    operationId: "adminCreateEnrolment",
    [FRESH_PROOF]: true,
    summary: "Create an enrollment key for one or more machines",
    request: {
      body: jsonBody(enrolmentRequestSchema, {
        fields: { group: "Frankfurt" },
        uses: 20,
        lifeSeconds: DAY_SECONDS,
      }),
    },
    responses: {
      201: jsonResponse("The enrollment key and the command to run on the machine", enrolmentSchema, {
        id: "5f…",
        code: "enr_…",
        usesLeft: 20,
        expiresAt: "2026-11-22T12:00:00.000Z",
        url: "https://status.example.org",
        command: "curl -fsSL https://status.example.org/install.sh | sudo sh -s -- enr_…",
      }),
    },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(route, async (c) => {
    const created = await options.enrolments.create({ ...c.req.valid("json"), actor: c.var.actor });
    const url = options.toUrl(c.req.url);
    const command = toInstallLine(url, created.code, options.address);
    c.header("cache-control", "no-store");
    return c.json({ ...created, expiresAt: toIsoTime(created.expiresAt), url, command }, 201);
  });
}

/** Adds the administration of keys. */
export function addEnrolmentRoutes(app: ServiceApp, options: EnrolmentRoutesOptions): void {
  addCreate(app, options);
  const list = createRoute({
    ...adminRoute("servers", options.guard),
    method: "get",
    path: PATH,
    operationId: "adminListEnrolments",
    summary: "List the valid enrollment keys, sorted by expiry",
    responses: {
      200: jsonResponse(
        "The enrollment keys, without their secrets",
        z.object({ items: z.array(openEnrolmentSchema) }),
      ),
    },
    errors: ["store_unavailable"],
  });
  app.openapi(list, async (c) => c.json({ items: (await options.enrolments.list()).map(toView) }, 200));

  const remove = createRoute({
    ...adminRoute("servers", options.guard),
    method: "delete",
    path: `${PATH}/{id}`,
    operationId: "adminRemoveEnrolment",
    summary: "Delete an enrollment key. Machines that have used it stay enrolled",
    request: { params: z.object({ id: z.string().max(64) }) },
    responses: { 204: { description: "Done" } },
    errors: ["not_found", "store_unavailable"],
  });
  app.openapi(remove, async (c) => {
    await options.enrolments.remove(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}
