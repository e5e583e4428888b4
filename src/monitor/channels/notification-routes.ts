/** Notifications with their delivery state, and another attempt. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { findRemedy } from "../site/private-networks.ts";
import { remedySettings } from "../site/schema.ts";
import { noticeRecordSchema, noticeStateSchema } from "./schema.ts";
import type { NoticeLog } from "./notification-log.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";

const view = viewOf(
  noticeRecordSchema,
  ["id", "channelId", "to", "kind", "severity", "title", "text", "url", "state", "attempts", "lastError"],
  ["createdAt", "nextAttemptAt", "expiresAt", "sentAt"],
);
const noticeView = z.object(view.shape).extend({
  channelName: z
    .string()
    .optional()
    .openapi({ description: "Name of the channel; absent if it was deleted" }),
  setting: z
    .enum(remedySettings)
    .optional()
    .openapi({ description: "What must be set before another attempt can succeed" }),
});

const exampleId = "inc_01jd5v6m0c8f3k2n7q4x9y1z5a:firing:chn_01jd5v6m0c8f3k2n7q4x9y1z5a";
const examplePage = {
  items: [
    {
      id: exampleId,
      channelId: "chn_01jd5v6m0c8f3k2n7q4x9y1z5a",
      channelName: "Phone",
      to: "",
      kind: "firing",
      severity: "critical",
      title: "Web 1 is offline",
      text: "No report for 120 seconds.",
      state: "waiting",
      attempts: 1,
      createdAt: "2025-11-20T12:00:00+00:00",
      nextAttemptAt: "2025-11-20T12:00:30+00:00",
      expiresAt: "2025-11-23T12:00:00+00:00",
      lastError: "The receiver responded with status 503",
    },
  ],
};

const retryParams = z.object({
  id: z
    .string()
    .min(1)
    .max(600)
    .openapi({ param: { name: "id", in: "path" }, example: exampleId }),
});

/** The present path, and the one until 0.1.0. */
const paths = [
  { name: "Notification", path: "/api/admin/notifications", deprecated: false },
  { name: "Notice", path: "/api/admin/notices", deprecated: true },
] as const;

/** Adds the routes below /api/admin/notifications. */
export function addNoticeRoutes(
  app: ServiceApp,
  { notices, guard }: { notices: NoticeLog; guard: MiddlewareHandler<GuardEnv> },
): void {
  for (const { name, path, deprecated } of paths) {
    const common = { ...adminRoute("notifications", guard), deprecated };
    const adminListNotifications = createRoute({
      ...common,
      method: "get",
      path,
      operationId: `adminList${name}s`,
      summary: "List notifications with their delivery state, newest first. Stored for 7 days",
      request: { query: pageQuerySchema.extend({ state: noticeStateSchema.optional() }) },
      responses: { 200: jsonResponse("A page of notifications", pageSchema(noticeView), examplePage) },
    });
    app.openapi(adminListNotifications, async (c) => {
      const page = await notices.list(c.req.valid("query"));
      return c.json(
        toPageView(page, (entry) => ({
          ...view.show(entry),
          channelName: entry.channelName,
          setting: entry.state === "sent" ? undefined : findRemedy(entry.lastError ?? ""),
        })),
        200,
      );
    });

    const adminRetryNotification = createRoute({
      ...common,
      method: "post",
      path: `${path}/{id}/retry`,
      operationId: `adminRetry${name}`,
      summary: "Retry a waiting or failed notification now",
      request: { params: retryParams },
      responses: { 204: { description: "The notification is queued for sending" } },
      errors: ["invalid", "not_found", "conflict", "store_unavailable"],
    });
    app.openapi(adminRetryNotification, async (c) => {
      await notices.retry(c.req.valid("param").id, c.var.actor);
      return c.body(null, 204);
    });
  }
}
