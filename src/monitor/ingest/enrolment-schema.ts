/** Keys for new machines, as an administrator sees them. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { serverFieldsSchema, serverIdSchema } from "../base/schema.ts";

const DAY_SECONDS = 86_400;

/** What a key is made of. */
export const enrolmentRequestSchema = z.strictObject({
  serverId: serverIdSchema
    .optional()
    .describe("Gives this server a new key, on this machine or another; else new servers are made"),
  fields: serverFieldsSchema
    .partial()
    .optional()
    .describe("What new servers are made with; their name is the machine's own unless it is here"),
  uses: z.int().min(1).max(1_000).default(1).describe("How many machines may use it"),
  lifeSeconds: z
    .int()
    .min(60)
    .max(30 * DAY_SECONDS)
    .default(600)
    .describe("How long it is good"),
});

/** The form for new machines: an enrolment of one or many, or a server whose key is put on the machine by hand. */
export const newMachineSchema = serverFieldsSchema.pick({ name: true, group: true, tags: true }).extend({
  way: z.enum(["one", "many", "hand"]).default("one"),
  name: serverFieldsSchema.shape.name.optional(),
  id: serverIdSchema.optional(),
  uses: enrolmentRequestSchema.shape.uses,
  lifeSeconds: enrolmentRequestSchema.shape.lifeSeconds,
});

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
