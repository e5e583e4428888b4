/** Keys for new machines, as an administrator sees them. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { serverFieldsSchema } from "../base/schema.ts";

/** A key that is open; the key itself is shown once. */
export const openEnrolmentSchema = z.object({
  id: z.string(),
  serverId: z.string().optional().describe("The server that the one machine will be; absent for many"),
  fields: serverFieldsSchema.partial().optional().describe("What new servers are made with"),
  usesLeft: z.int(),
  createdAt: isoTimeSchema,
  expiresAt: isoTimeSchema,
});

export const enrolmentSchema = openEnrolmentSchema
  .pick({ id: true, serverId: true, usesLeft: true, expiresAt: true })
  .extend({
    code: z.string(),
    url: z.string().describe("Where machines reach this monitor"),
    command: z.string().describe("The line to run on a Linux machine, as root"),
  });
/** A fresh key, with the line that uses it. */
export type EnrolmentView = z.infer<typeof enrolmentSchema>;
export type OpenEnrolmentView = z.infer<typeof openEnrolmentSchema>;
