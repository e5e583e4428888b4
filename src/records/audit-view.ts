/** How the verdict on the audit's chain looks in an answer; the same in every service. */
import { z } from "@hono/zod-openapi";

export const auditVerdictSchema = z
  .object({
    valid: z.boolean(),
    entries: z.int().openapi({ description: "Entries that were read" }),
    brokenAt: z.string().optional().openapi({ description: "The first entry that does not fit" }),
    head: z.object({ id: z.string(), hash: z.string() }).optional().openapi({
      description:
        "The newest entry. Keep it elsewhere: when that entry is missing later or has another hash, the end was cut off",
    }),
    dropped: z.int().openapi({ description: "Entries that went since the beginning, being the oldest" }),
    unkeyed: z
      .int()
      .openapi({ description: "Entries among those read that a release without a keyed chain wrote" }),
  })
  .openapi("AuditVerdict");

export const exampleVerdict = {
  valid: true,
  entries: 412,
  head: { id: "aud_000000000412", hash: "o1fG0m0X0tqkZ4Qm3ReCr3nJbQk0gkq6sQb2m3sYt7w" },
  dropped: 0,
  unkeyed: 0,
};
