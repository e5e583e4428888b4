/** Whether buyers review products, and who publishes what they write. */
import { z } from "zod";

export const reviewSettingsSchema = z.strictObject({
  isOn: z.boolean().default(false),
  /** "before": an administrator publishes each review. "after": it is published at once. */
  moderation: z.enum(["before", "after"]).default("before"),
  /** Buyers who tick a box at checkout get one email that asks for a review. */
  invite: z.boolean().default(false),
  /** Days between the delivery and that email. */
  inviteDays: z.number().int().min(1).max(90).default(7),
});
