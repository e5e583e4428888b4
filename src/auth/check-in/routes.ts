/** Daily check-in of whoever is signed in. */
import { createRoute, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import type { Auth } from "../auth.ts";
import { daySchema } from "../ledger-schema.ts";
import { type BearerEnv, bearerErrors, bearerSecurity } from "../http/bearer-guard.ts";

type Guard = MiddlewareHandler<BearerEnv>;

const points = z.int().openapi({ description: "All points of the account" });
const gainSchema = z.object({
  day: daySchema,
  reward: z.int(),
  bonus: z.int().openapi({ description: "Points on top for the streak" }),
  streak: z.int().min(1).openapi({ description: "Days in a row" }),
});
const checkInSchema = gainSchema.extend({ points }).openapi("CheckIn");
const earlierSchema = checkInSchema.extend({ alreadyCheckedIn: z.literal(true) }).openapi("EarlierCheckIn");
const statusSchema = z
  .object({
    enabled: z.boolean(),
    today: daySchema,
    checkedInToday: z.boolean(),
    streak: z.int().min(0).openapi({ description: "0 when it is broken" }),
    points,
    nextReset: z.int().openapi({ description: "When the next day begins, epoch milliseconds" }),
    timeZone: z.string().openapi({ description: "The zone whose days count, for everybody" }),
  })
  .openapi("CheckInStatus");
const monthSchema = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/u, "must be a month such as 2026-01");
const historySchema = z
  .object({
    month: monthSchema,
    days: z.array(gainSchema.extend({ at: z.int().openapi({ description: "Epoch milliseconds" }) })),
    total: z.int().openapi({ description: "Points of all these days" }),
  })
  .openapi("CheckInHistory");

const exampleGain = { day: "2026-01-31", reward: 10, bonus: 20, streak: 7 };
const example = { ...exampleGain, points: 90 };

/** What all these routes share. */
function common<M extends Guard>(guard: M) {
  return { tags: ["check-in"], "x-access": "user" as const, security: bearerSecurity, middleware: guard };
}

function addReadRoutes(app: ServiceApp, auth: Auth, guard: Guard): void {
  app.openapi(
    createRoute({
      ...common(guard),
      method: "get",
      path: "/api/auth/checkin",
      operationId: "getCheckIn",
      summary: "Whether you checked in today, your streak and points",
      responses: {
        200: jsonResponse("Where you stand", statusSchema, {
          enabled: true,
          today: "2026-01-31",
          checkedInToday: false,
          streak: 6,
          points: 60,
          nextReset: 1_769_904_000_000,
          timeZone: "UTC",
        }),
        ...problemResponses(...bearerErrors, "store_unavailable"),
      },
    }),
    async (c) => c.json(await auth.checkIns.status(c.var.subject.user.id), 200),
  );

  app.openapi(
    createRoute({
      ...common(guard),
      method: "get",
      path: "/api/auth/checkin/history",
      operationId: "getCheckInHistory",
      summary: "Your check-ins of a month, the oldest first",
      request: {
        query: z.object({
          month: monthSchema.optional().openapi({ description: "The present month unless told" }),
        }),
      },
      responses: {
        200: jsonResponse("The month", historySchema, {
          month: "2026-01",
          days: [{ ...exampleGain, at: 1_769_860_800_000 }],
          total: 30,
        }),
        ...problemResponses(...bearerErrors, "invalid", "store_unavailable"),
      },
    }),
    async (c) => {
      const { month } = c.req.valid("query");
      const history = await auth.checkIns.history(c.var.subject.user.id, month);
      return c.json({ ...history, days: [...history.days] }, 200);
    },
  );
}

/** Adds the routes below /api/auth/checkin. */
export function addCheckInRoutes(app: ServiceApp, auth: Auth, guard: Guard): void {
  app.openapi(
    createRoute({
      ...common(guard),
      method: "post",
      path: "/api/auth/checkin",
      operationId: "checkIn",
      summary: "Check in for today",
      responses: {
        200: jsonResponse("It was done before: what it gave", earlierSchema, {
          alreadyCheckedIn: true,
          ...example,
        }),
        201: jsonResponse("It is done: what it gives", checkInSchema, example),
        ...problemResponses(
          ...bearerErrors,
          "forbidden",
          "checkin_disabled",
          "email_unverified",
          "account_too_new",
          "too_large",
          "store_unavailable",
        ),
      },
    }),
    async (c) => {
      const { alreadyCheckedIn, ...result } = await auth.checkIns.checkIn(c.var.subject);
      return alreadyCheckedIn ? c.json({ alreadyCheckedIn, ...result }, 200) : c.json(result, 201);
    },
  );
  addReadRoutes(app, auth, guard);
}
