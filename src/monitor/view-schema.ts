/** The shapes of what the monitor shows: documented in OpenAPI, and the types of `views.ts`. */
import { z } from "zod";
import { billingSchema, serverFieldsSchema, serverIdSchema, serverStates, trafficSchema } from "./schema.ts";

const epochMs = z.number().int().describe("Unix epoch in milliseconds, by the service's clock");

const hostFacts = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .describe("Facts of the machine; a public view leaves out host name, kernel and agent version");
export type HostFacts = z.infer<typeof hostFacts>;

export const latestSchema = z.object({
  collectedAt: z.number().int().describe("Time of collection by the agent's clock, epoch ms"),
  receivedAt: epochMs,
  sample: z.record(z.string(), z.unknown()).describe("The report, with the unit of each value in its name"),
});
export type LatestView = z.infer<typeof latestSchema>;

export const publicServerSchema = z.object({
  id: serverIdSchema,
  name: z.string(),
  group: z.string(),
  tags: z.array(z.string()),
  displayOrder: z.number().int(),
  region: z.string().describe("ISO 3166 alpha-2, or empty"),
  publicNote: z.string(),
  billing: billingSchema.optional(),
  host: hostFacts.optional(),
  state: z.enum(serverStates),
  stateSince: epochMs,
  lastSeenAt: epochMs.optional(),
  latest: latestSchema.optional(),
});
export type PublicServer = z.infer<typeof publicServerSchema>;

export const serverDetailSchema = publicServerSchema.extend({ traffic: trafficSchema });
export type ServerDetail = z.infer<typeof serverDetailSchema>;

export const serverListSchema = z.object({
  servers: z.array(publicServerSchema).describe("In display order"),
  now: epochMs,
});

export const adminServerSchema = serverFieldsSchema.extend({
  id: serverIdSchema,
  version: z.number().int().describe("Send it back with PUT to be told of a change by someone else"),
  displayOrder: z.number().int(),
  host: hostFacts.optional(),
  agent: z.object({
    hostname: z.string(),
    version: z.string().optional(),
    keyPrefix: z.string(),
    keyRotatedAt: epochMs,
    clockSkewMs: z.number().optional().describe("The agent's clock minus the service's"),
    duplicateAgent: z.boolean().describe("Two machines seem to run with the same key"),
    reportsStored: z.number().int(),
  }),
  state: z.enum(serverStates),
  stateSince: epochMs,
  lastSeenAt: epochMs.optional(),
  latest: latestSchema.extend({ flags: z.array(z.string()).describe("Values that were clamped") }).optional(),
  createdAt: epochMs,
  updatedAt: epochMs,
});
export type AdminServer = z.infer<typeof adminServerSchema>;

export const sessionSchema = z.object({
  name: z.string(),
  expiresAt: epochMs.optional(),
});
/** Who is signed in as administrator. */
export type SessionInfo = z.infer<typeof sessionSchema>;

export const enrolmentSchema = z.object({
  code: z.string(),
  expiresAt: epochMs,
  serverId: z.string().describe("The id that the machine gets when it uses the code"),
  command: z.string().describe("The line to run on the machine"),
});
/** A fresh enrolment code. */
export type EnrolmentView = z.infer<typeof enrolmentSchema>;
