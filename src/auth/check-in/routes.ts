/** Daily check-in of the signed-in user. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { checkInRecordSchema } from "./schema.ts";
import { daySchema } from "../base/ledger-schema.ts";
import type { CheckIns } from "./check-in.ts";
import { type BearerGuard, bearerRoute } from "../sessions/http/bearer-guard.ts";
import { createRoute } from "../edge/create-route.ts";

interface Parts {
  readonly checkIns: CheckIns;
  readonly bearer: BearerGuard;
}

const points = z.int().openapi({ description: "Points of the account" });
const gainSchema = checkInRecordSchema.pick({ day: true, reward: true }).extend({
  bonus: z.int().openapi({ description: "Extra points for the streak" }),
  streak: z.int().min(1).openapi({ description: "Consecutive days" }),
});
const checkInSchema = gainSchema.extend({ points }).openapi("CheckIn");
const earlierSchema = checkInSchema.extend({ alreadyCheckedIn: z.literal(true) }).openapi("EarlierCheckIn");
const statusSchema = z
  .object({
    enabled: z.boolean(),
    today: daySchema,
    checkedInToday: z.boolean(),
    streak: z.int().min(0).openapi({ description: "Consecutive days; 0 if the streak is broken" }),
    points,
    nextReset: isoTime,
    timeZone: z.string().openapi({ description: "Time zone that defines the days for all accounts" }),
  })
  .openapi("CheckInStatus");
const monthSchema = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/u, "must be a month such as 2026-01");
const historySchema = z
  .object({
    month: monthSchema,
    days: z.array(gainSchema.extend({ at: isoTime })),
    total: z.int().openapi({ description: "Total points of these days" }),
  })
  .openapi("CheckInHistory");

const exampleGain = { day: "2026-01-31", reward: 10, bonus: 20, streak: 7 };
const example = { ...exampleGain, points: 90 };

const toStatus = createView(statusSchema);
const toHistory = createView(historySchema);

function addReadRoutes(app: ServiceApp, { checkIns, bearer }: Parts): void {
  const getCheckIn = createRoute({
    ...bearerRoute("check-in", bearer, "check-in"),
    method: "get",
    path: "/api/auth/checkin",
    operationId: "getCheckIn",
    summary: "Get the caller's check-in status, streak and points",
    responses: {
      200: jsonResponse("The check-in status", statusSchema, {
        enabled: true,
        today: "2026-01-31",
        checkedInToday: false,
        streak: 6,
        points: 60,
        nextReset: "2026-02-01T00:00:00.000+00:00",
        timeZone: "UTC",
      }),
    },
    errors: ["store_unavailable"],
  });
  app.openapi(getCheckIn, async (c) => c.json(toStatus(await checkIns.status(c.var.subject.user.id)), 200));

  const getCheckInHistory = createRoute({
    ...bearerRoute("check-in", bearer, "check-in"),
    method: "get",
    path: "/api/auth/checkin/history",
    operationId: "getCheckInHistory",
    summary: "List the caller's check-ins of a month, oldest first",
    request: {
      query: z.object({
        month: monthSchema.optional().openapi({ description: "Default: the current month" }),
      }),
    },
    responses: {
      200: jsonResponse("The month", historySchema, {
        month: "2026-01",
        days: [{ ...exampleGain, at: "2026-01-31T12:00:00.000+00:00" }],
        total: 30,
      }),
    },
    errors: ["invalid", "store_unavailable"],
  });
  app.openapi(getCheckInHistory, async (c) => {
    const { month } = c.req.valid("query");
    return c.json(toHistory(await checkIns.history(c.var.subject.user.id, month)), 200);
  });
}

/** Adds the routes below /api/auth/checkin. */
export function addCheckInRoutes(app: ServiceApp, { checkIns, bearer }: Parts): void {
  const route = createRoute({
    ...bearerRoute("check-in", bearer, "check-in"),
    method: "post",
    path: "/api/auth/checkin",
    operationId: "checkIn",
    summary: "Check in for today",
    responses: {
      200: jsonResponse("Already checked in today. The result of that check-in", earlierSchema, {
        alreadyCheckedIn: true,
        ...example,
      }),
      201: jsonResponse("Checked in. The points and the streak", checkInSchema, example),
    },
    errors: [
      "forbidden",
      "checkin_disabled",
      "email_unverified",
      "account_too_new",
      "too_large",
      "store_unavailable",
    ],
  });
  app.openapi(route, async (c) => {
    const { alreadyCheckedIn, ...result } = await checkIns.checkIn(c.var.subject);
    return alreadyCheckedIn ? c.json({ alreadyCheckedIn, ...result }, 200) : c.json(result, 201);
  });
  addReadRoutes(app, { checkIns, bearer });
}
