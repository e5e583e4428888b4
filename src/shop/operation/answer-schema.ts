/** Responses about the operation of the shop: its state, today, and its sales. */
import { z } from "@hono/zod-openapi";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { attentionSchema, orderStatusSchema, paymentStatusSchema } from "../orders/schema.ts";
import { warningsSchema } from "../settings/answer-schema.ts";
import { setupGaps } from "./setup.ts";

const checkSchema = z.enum(["ok", "failing", "unknown"]);

export const systemStatusSchema = z
  .object({
    version: z.string(),
    timestamp: isoTimeSchema,
    runtime: z
      .object({
        uptimeSeconds: z.int(),
        residentBytes: z.int(),
        heapUsedBytes: z.int(),
        eventLoopDelayMaxMs: z
          .int()
          .openapi({ description: "Longest event loop delay since the previous sample, in milliseconds" }),
      })
      .optional(),
    store: z.object({
      status: checkSchema,
      kind: z.enum(["files", "postgresql"]).optional(),
      records: z.int(),
    }),
    program: z.string().optional().openapi({ description: 'What runs it, such as "node 22.12.0"' }),
    disk: z
      .object({ freeBytes: z.int(), totalBytes: z.int() })
      .optional()
      .openapi({ description: "Disk of the data folder" }),
    hasBackups: z.boolean().optional().openapi({ description: "Whether backups are enabled" }),
    backups: z
      .object({
        lastAt: isoTimeSchema.optional(),
        nextAt: isoTimeSchema.optional(),
        failure: z.string().optional(),
      })
      .optional(),
    auth: checkSchema.openapi({ description: "Whether the auth center responds" }),
    smtp: z.object({
      state: z.enum(["on", "environment", "off"]),
      host: z.string(),
    }),
    outbox: z.object({ waiting: z.int(), failed: z.int(), sent: z.int() }),
    webhooks: z.array(
      z.object({
        word: z.string(),
        enabled: z.boolean(),
        secretSet: z.boolean(),
        lastNoticeAt: isoTimeSchema.optional(),
        unverified: z
          .int()
          .openapi({ description: "Unverified ones among the newest 200 payment notifications" }),
        openReviews: z.int(),
        isSilent: z.boolean().openapi({ description: "Buyers chose it, and it sent no notification" }),
        clockSkewMs: z.number().optional(),
      }),
    ),
    jobs: z.array(
      z.object({ name: z.string(), lastRunAt: isoTimeSchema.optional(), lastError: z.string().optional() }),
    ),
    warnings: warningsSchema,
  })
  .openapi("SystemStatus");

export type SystemStatus = z.infer<typeof systemStatusSchema>;

const count = z.int().min(0);
const sums = z.object({ orders: count, paidOrders: count, revenue: z.int() });

export const todaySchema = z
  .object({
    currency: z.string(),
    timeZone: z.string(),
    today: sums,
    days7: sums.openapi({ description: "The last seven days, including today" }),
    days30: sums,
    waiting: z
      .object({
        toDeliver: count.openapi({ description: "Orders that are paid and not delivered" }),
        needAttention: count,
        openNotices: count,
        withdrawals: count,
        unreadChats: count,
        lowStock: count.openapi({ description: "Number of products with low stock, up to 100" }),
        mailsFailed: count,
        webhooksFailing: count,
      })
      .openapi({ description: "Open tasks for administrators" }),
    lastOrders: z.array(
      z.object({
        id: z.string(),
        number: z.string(),
        email: z.string(),
        status: orderStatusSchema,
        paymentStatus: paymentStatusSchema,
        attention: z.array(attentionSchema),
        total: z.int(),
        currency: z.string(),
        createdAt: isoTimeSchema,
      }),
    ),
    setup: z
      .object({
        steps: z.object({
          site: z.boolean(),
          product: z.boolean(),
          provider: z.boolean(),
          order: z.boolean(),
        }),
        missing: z.array(z.enum(setupGaps)),
      })
      .openapi({
        description: "Progress of the four setup steps, and what is missing before the shop can sell",
      }),
  })
  .openapi("Today");

export type Today = z.infer<typeof todaySchema>;

export const daySchema = z.iso.date().openapi({ description: "Day in the shop's time zone" });
const sumsShape = {
  orders: count.openapi({ description: "Number of orders placed on these days" }),
  paidOrders: count,
  revenue: z.int().openapi({
    description:
      "Payments for these orders minus refunds, in minor units. A gift card counts when it is sold, not when it pays",
  }),
  views: count
    .optional()
    .openapi({ description: "Product views; absent for days before views were counted" }),
};
export const salesUnitSchema = z.enum(["day", "week", "month"]);

export const salesSchema = z
  .object({
    currency: z.string(),
    timeZone: z.string(),
    from: daySchema,
    to: daySchema,
    unit: salesUnitSchema,
    total: z.object(sumsShape),
    before: z
      .object({ from: daySchema, to: daySchema, ...sumsShape })
      .openapi({ description: "The previous period of the same length" }),
    periods: z.array(z.object({ start: daySchema, ...sumsShape })),
    products: z
      .array(z.object({ productId: z.string(), title: z.string(), units: count, revenue: z.int() }))
      .openapi({ description: "Up to 20 products with the highest revenue from paid orders" }),
    isComplete: z
      .boolean()
      .openapi({ description: "False if the range has more orders than the report evaluates" }),
  })
  .openapi("Sales");

export type SalesView = z.infer<typeof salesSchema>;
