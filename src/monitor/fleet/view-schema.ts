/** The shapes of what the monitor shows: documented in OpenAPI, and the types of `views.ts`. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { auditRecordSchema } from "../../records/audit-chain.ts";
import { billingSchema, serverFieldsSchema, serverIdSchema, serverStates, trafficSchema } from "../schema.ts";

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

const bytes = z.number().int().min(0);

/** Traffic as lists show it. */
const shownTrafficSchema = z.object({
  mode: trafficSchema.shape.mode.unwrap(),
  limitBytes: bytes.describe("0 means no limit"),
  usedBytes: bytes.describe("In this cycle, by the mode, with the owner's correction of this cycle"),
  percent: z.number().min(0).optional().describe("Used of the limit; absent without a limit"),
  cycleFrom: epochMs,
  cycleTo: epochMs.describe("When the next cycle begins"),
});

/** All that is known of the traffic of a cycle. */
export const trafficUseSchema = shownTrafficSchema.extend({
  rxBytes: bytes.describe("Received in this cycle, as counted"),
  txBytes: bytes.describe("Sent in this cycle, as counted"),
});

const nextExpiryAt = epochMs
  .optional()
  .describe("When the paid time ends next: `billing.expiresAt`, rolled on while it renews itself");

const ratio = z.number().min(0).max(1).optional();

export const publicServerSchema = z.object({
  id: serverIdSchema,
  name: z.string(),
  group: z.string(),
  tags: z.array(z.string()),
  displayOrder: z.number().int().describe("Place among the visible servers, from 1"),
  region: z.string().describe("ISO 3166 alpha-2, or empty"),
  publicNote: z.string(),
  billing: billingSchema.optional(),
  nextExpiryAt,
  traffic: shownTrafficSchema.optional().describe("Absent without a limit while nothing was counted"),
  host: hostFacts.optional(),
  state: z.enum(serverStates),
  stateSince: epochMs,
  lastSeenAt: epochMs.optional(),
  latest: latestSchema.optional(),
});
export type PublicServer = z.infer<typeof publicServerSchema>;

export const serverDetailSchema = publicServerSchema.extend({
  traffic: trafficUseSchema.extend(trafficSchema.shape),
  uptime: z
    .object({ day1: ratio, day30: ratio, day90: ratio })
    .optional()
    .describe("Share of the watched minutes in which it was online: today, and the last 30 and 90 days"),
});
export type ServerDetail = z.infer<typeof serverDetailSchema>;

export const serverListSchema = z.object({
  servers: z.array(publicServerSchema).describe("In display order"),
  now: epochMs,
});

export const adminServerSchema = serverFieldsSchema.extend({
  id: serverIdSchema,
  trafficUse: trafficUseSchema,
  nextExpiryAt,
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
  expiresAt: isoTimeSchema.optional(),
});
/** Who is signed in as administrator. */
export type SessionInfo = z.infer<typeof sessionSchema>;

export const enrolmentSchema = z.object({
  code: z.string(),
  expiresAt: isoTimeSchema,
  serverId: z.string().describe("The id that the machine gets when it uses the code"),
  command: z.string().describe("The line to run on the machine"),
});
/** A fresh enrolment code. */
export type EnrolmentView = z.infer<typeof enrolmentSchema>;

/** An entry of the audit; nobody names an application to the monitor. */
export const auditEntrySchema = auditRecordSchema
  .omit({ version: true, clientId: true })
  .extend({ at: isoTimeSchema });
export type AuditEntryView = z.infer<typeof auditEntrySchema>;
