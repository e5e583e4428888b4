/** The schema of what `/api/health` answers; see `health.ts`. */
import { z } from "@hono/zod-openapi";

export const healthSchema = z.object({
  status: z.enum(["ok", "degraded", "failing"]),
  version: z.string(),
  timestamp: z.iso.datetime(),
  uptimeSeconds: z.number().int(),
  checks: z.record(z.string(), z.object({ status: z.enum(["ok", "failing"]), durationMs: z.number().int() })),
});
