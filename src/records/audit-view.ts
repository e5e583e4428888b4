/** Query, entries and verification result of the audit log, shared by the services. */
import { z } from "@hono/zod-openapi";
import { pageQuerySchema } from "../kit/http/paging.ts";
import { viewOf } from "../kit/http/view.ts";
import { auditRecordSchema } from "./audit-chain.ts";

/** A page of the audit, with filters. */
export const auditQuerySchema = pageQuerySchema.extend({
  action: z.string().min(1).max(60).optional().describe('Prefix of the action, such as "settings."'),
  actor: z.string().min(1).max(100).optional().describe('Filter by actor, such as "token" or "user ann"'),
  target: z.string().min(1).max(200).optional().describe("Filter by target, such as the ID of an account"),
});

export const auditEntryView = viewOf(
  auditRecordSchema,
  [
    "id",
    "actor",
    "action",
    "target",
    "result",
    "clientId",
    "requestId",
    "network",
    "changes",
    "prevHash",
    "hash",
  ],
  ["at"],
);
export const auditEntrySchema = z.object(auditEntryView.shape).openapi("AuditEntry");
export type AuditEntryView = z.infer<typeof auditEntrySchema>;

export const auditVerdictSchema = z
  .object({
    valid: z.boolean(),
    entries: z.int().openapi({ description: "Number of verified entries" }),
    brokenAt: z.string().optional().openapi({ description: "ID of the first entry that breaks the chain" }),
    head: z.object({ id: z.string(), hash: z.string() }).optional().openapi({
      description:
        "The newest entry. Keep a copy elsewhere: if the entry is missing later or has another hash, the end of the log was cut off",
    }),
    dropped: z.int().openapi({ description: "Number of old entries that were deleted because of their age" }),
    unkeyed: z
      .int()
      .openapi({ description: "Number of verified entries that were written before the chain was keyed" }),
  })
  .openapi("AuditVerdict");
export type AuditVerdict = z.infer<typeof auditVerdictSchema>;

export const exampleVerdict = {
  valid: true,
  entries: 412,
  head: { id: "aud_000000000412", hash: "o1fG0m0X0tqkZ4Qm3ReCr3nJbQk0gkq6sQb2m3sYt7w" },
  dropped: 0,
  unkeyed: 0,
};
