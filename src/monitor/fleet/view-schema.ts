/** The shapes of what the monitor shows: documented in OpenAPI, and the types of `views.ts`. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { auditRecordSchema } from "../../records/audit-chain.ts";
import {
  billingSchema,
  serverFieldsSchema,
  serverIdSchema,
  serverStates,
  trafficSchema,
} from "../base/schema.ts";

const epochMs = z.number().int();

const hostFacts = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .describe("Facts of the machine; a public view leaves out host name, kernel and agent version");
export type HostFacts = z.infer<typeof hostFacts>;

function latestShape<T extends z.ZodType>(time: T) {
  return {
    collectedAt: time.describe("Time of collection by the agent's clock"),
    receivedAt: time,
    sample: z.record(z.string(), z.unknown()).describe("The report, with the unit of each value in its name"),
  };
}

const bytes = z.number().int().min(0);

function trafficShape<T extends z.ZodType>(time: T) {
  return {
    mode: trafficSchema.shape.mode.unwrap(),
    limitBytes: bytes.describe("0 means no limit"),
    usedBytes: bytes.describe("In this cycle, by the mode, with the owner's correction of this cycle"),
    percent: z.number().min(0).optional().describe("Used of the limit; absent without a limit"),
    cycleFrom: time,
    cycleTo: time.describe("When the next cycle begins"),
  };
}

/** All that is known of the traffic of a cycle. */
export const trafficUseSchema = z.object({
  ...trafficShape(isoTimeSchema),
  rxBytes: bytes.describe("Received in this cycle, as counted"),
  txBytes: bytes.describe("Sent in this cycle, as counted"),
});

/** What a cycle has used so far, as the provider says. */
export const trafficCorrectionSchema = z.strictObject({
  usedBytes: bytes.max(Number.MAX_SAFE_INTEGER),
  version: z.number().int().min(1).optional(),
});

export const correctedTrafficSchema = z.object({ traffic: trafficUseSchema, version: z.number().int() });
export type CorrectedTraffic = z.infer<typeof correctedTrafficSchema>;

const nextExpiry = "When the paid time ends next: `billing.expiresAt`, rolled on while it renews itself";

const maintenanceEnd = "When the planned maintenance that it is in ends; absent outside of one";

const ratio = z.number().min(0).max(1).optional();

function publicShape<T extends z.ZodType>(time: T) {
  return {
    id: serverIdSchema,
    name: z.string(),
    group: z.string(),
    tags: z.array(z.string()),
    displayOrder: z
      .number()
      .describe(
        "Place among the visible servers, from 1; a hidden one has a fraction between its neighbours'",
      ),
    region: z.string().describe("ISO 3166 alpha-2, or empty"),
    provider: z.string().optional().describe("Who rents it out; absent when nobody said so"),
    publicNote: z.string(),
    billing: billingSchema.optional(),
    nextExpiryAt: time.optional().describe(nextExpiry),
    traffic: z
      .object(trafficShape(time))
      .optional()
      .describe("Absent without a limit while nothing was counted"),
    host: hostFacts.optional(),
    hidden: z.literal(true).optional().describe("Only administrators get this server"),
    state: z.enum(serverStates),
    reports: z
      .enum(["missing", "rejected"])
      .optional()
      .describe(
        "Of a server that is online and shows nothing new: `missing` while its agent is connected and has sent no report for a minute, `rejected` while its reports are invalid; absent while reports come",
      ),
    stateSince: time,
    lastSeenAt: time.optional(),
    maintenanceUntil: time.optional().describe(maintenanceEnd),
    latest: z.object(latestShape(time)).optional(),
  };
}

const feedServerSchema = z.object(publicShape(epochMs));
/** A server as the frames of the live feed show it: times are epoch milliseconds, by the service's clock. */
export type PublicServer = z.infer<typeof feedServerSchema>;
export type LatestView = NonNullable<PublicServer["latest"]>;

/** The same in HTTP answers, with times in ISO 8601. */
export const serverAnswerSchema = z.object(publicShape(isoTimeSchema));
export type ServerAnswer = z.infer<typeof serverAnswerSchema>;

export const serverDetailSchema = serverAnswerSchema.extend({
  traffic: trafficUseSchema.extend(trafficSchema.shape),
  uptime: z
    .object({ day1: ratio, day30: ratio, day90: ratio })
    .optional()
    .describe("Share of the watched minutes in which it was online: today, and the last 30 and 90 days"),
});
export type ServerDetail = z.infer<typeof serverDetailSchema>;

export const serverListSchema = z.object({
  items: z.array(serverAnswerSchema).describe("In display order"),
  now: isoTimeSchema,
});

export const adminServerSchema = serverFieldsSchema.extend({
  id: serverIdSchema,
  trafficUse: trafficUseSchema,
  nextExpiryAt: isoTimeSchema.optional().describe(nextExpiry),
  version: z.number().int().describe("Send it back with PUT to be told of a change by someone else"),
  displayOrder: z.number().int(),
  host: hostFacts.optional(),
  agent: z.object({
    hostname: z.string(),
    addresses: z.array(z.string()).optional().describe("IP addresses that the machine says it has"),
    peerAddress: z
      .string()
      .optional()
      .describe("Where its connection comes from: itself, a router or a proxy"),
    version: z.string().optional(),
    isOutdated: z.boolean().describe("Older than the agent that this monitor hands out"),
    keyPrefix: z.string(),
    keyRotatedAt: isoTimeSchema,
    clockSkewMs: z.number().optional().describe("The agent's clock minus the service's"),
    duplicateAgent: z.boolean().describe("Two machines seem to run with the same key"),
    reportsStored: z.number().int(),
    reports: z.enum(["missing", "rejected"]).optional().describe("As in the public view"),
    faults: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .optional()
      .describe("What the agent cannot read on its machine; its reports go without it"),
    rejectedBecause: z.string().optional().describe("Why its reports are rejected, as the agent is told"),
  }),
  state: z.enum(serverStates),
  stateSince: isoTimeSchema,
  lastSeenAt: isoTimeSchema.optional(),
  maintenanceUntil: isoTimeSchema.optional().describe(maintenanceEnd),
  latest: z
    .object({
      ...latestShape(isoTimeSchema),
      flags: z.array(z.string()).describe("Values that were clamped"),
    })
    .optional(),
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
});
export type AdminServer = z.infer<typeof adminServerSchema>;

export const adminServerListSchema = z.object({ items: z.array(adminServerSchema), now: isoTimeSchema });
export type AdminServerList = z.infer<typeof adminServerListSchema>;

export const createdServerSchema = adminServerSchema.extend({
  agentKey: z.string().describe("The agent's credential: shown this once, kept as a hash"),
  command: z.string().describe("The line that runs the agent with this key"),
});
/** A new server, or one with a new key. */
export type CreatedServer = z.infer<typeof createdServerSchema>;

/** How long the old key of an agent stays valid. */
export const keyRotationSchema = z.strictObject({
  graceSeconds: z.number().int().min(0).max(86_400).default(0),
});

/** An entry of the audit; nobody names an application to the monitor. */
export const auditEntrySchema = auditRecordSchema
  .omit({ version: true, clientId: true })
  .extend({ at: isoTimeSchema });
export type AuditEntryView = z.infer<typeof auditEntrySchema>;
