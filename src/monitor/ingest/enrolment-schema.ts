/** Keys for new machines, as an administrator sees them. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { serverFieldsSchema, serverIdSchema } from "../base/schema.ts";

const DAY_SECONDS = 86_400;

/** Body that creates an enrollment key. */
export const enrolmentRequestSchema = z.strictObject({
  serverId: serverIdSchema
    .optional()
    .describe("ID of an existing server that gets a new agent key; omit it to create new servers"),
  fields: serverFieldsSchema
    .partial()
    .optional()
    .describe("Initial fields of new servers. Default name: the host name of the machine"),
  uses: z.int().min(1).max(1_000).default(1).describe("Number of machines that can use the key"),
  lifeSeconds: z
    .int()
    .min(60)
    .max(30 * DAY_SECONDS)
    .default(600)
    .describe("Lifetime of the key in seconds"),
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
  serverId: z
    .string()
    .optional()
    .describe("ID of the existing server that the machine becomes; absent for new servers"),
  fields: serverFieldsSchema.partial().optional().describe("Initial fields of new servers"),
  usesLeft: z.int(),
  createdAt: isoTimeSchema,
  expiresAt: isoTimeSchema,
});

export const enrolmentSchema = openEnrolmentSchema
  .pick({ id: true, serverId: true, usesLeft: true, expiresAt: true })
  .extend({
    code: z.string(),
    url: z.string().describe("URL of this monitor for machines"),
    command: z.string().describe("Command to run as root on a Linux machine"),
  });
/** A fresh key, with the line that uses it. */
export type EnrolmentView = z.infer<typeof enrolmentSchema>;
export type OpenEnrolmentView = z.infer<typeof openEnrolmentSchema>;
