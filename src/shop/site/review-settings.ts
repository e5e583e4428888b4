/** Whether buyers review products, and who publishes what they write. */
import { z } from "zod";

export const reviewSettingsSchema = z.strictObject({
  isOn: z.boolean().default(false),
  /** "before": an administrator publishes each review. "after": it is published at once. */
  moderation: z.enum(["before", "after"]).default("before"),
});
