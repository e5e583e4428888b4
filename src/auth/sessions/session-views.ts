/** Views of sessions and account activity for users and administrators. */
import { createView, isoTime } from "../../kit/http/view.ts";
import { z } from "@hono/zod-openapi";
import { eventRecordSchema } from "../accounts/ledger-schema.ts";
import { sessionRecordSchema } from "./schema.ts";

/** A session as an administrator sees it. */
export const adminSessionSchema = sessionRecordSchema
  .pick({ id: true, label: true, clientId: true, amr: true, aal: true, ipPrefix: true, userAgent: true })
  .extend({
    createdAt: isoTime,
    authenticatedAt: isoTime,
    lastSeenAt: isoTime,
    expiresAt: isoTime,
    absoluteExpiresAt: isoTime,
    impersonatedBy: sessionRecordSchema.shape.impersonatedBy,
  })
  .openapi("AdminSession");
export const toAdminSession = createView(adminSessionSchema);

/** A session as its owner sees it. */
export const sessionSchema = adminSessionSchema.extend({ current: z.boolean() }).openapi("Session");
export const toSession = createView(sessionSchema);

export const exampleSession = {
  id: "ses_01jd5v6m0c8f3k2n7q4x9y1z5a",
  label: "Firefox on Linux",
  clientId: "shop",
  amr: ["pwd"],
  aal: 1,
  ipPrefix: "192.0.2.0/24",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
  createdAt: "2025-11-20T12:10:00.000+00:00",
  authenticatedAt: "2025-11-20T12:10:00.000+00:00",
  lastSeenAt: "2025-11-20T12:25:00.000+00:00",
  expiresAt: "2025-12-04T12:25:00.000+00:00",
  absoluteExpiresAt: "2025-12-20T12:10:00.000+00:00",
};

export const eventSchema = eventRecordSchema.omit({ version: true, userId: true }).extend({ at: isoTime });
export const toEvent = createView(eventSchema);

export const exampleEvent = {
  id: "evt_01jd5v6m0c8f3k2n7q4x9y1z5a",
  at: "2025-11-20T12:10:00.000+00:00",
  kind: "sign-in",
  clientId: "shop",
  ipPrefix: "192.0.2.0/24",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
};
