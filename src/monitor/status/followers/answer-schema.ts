/** Responses about followers of a status page. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../../kit/http/paging.ts";
import { subscriberViewSchema } from "./schema.ts";

const fault = z
  .enum(["switched_off", "no_mail_server", "no_address"])
  .optional()
  .describe("Why this type of subscription is unavailable; absent if it is available");
export const subscriberListSchema = pageSchema(subscriberViewSchema).extend({
  counts: z.object({ active: z.int(), pending: z.int() }),
  faults: z.object({ mail: fault, webhook: fault }),
});
export type SubscriberList = z.infer<typeof subscriberListSchema>;
