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
  .describe("Host information. The public view omits the host name, kernel and agent version");
export type HostFacts = z.infer<typeof hostFacts>;

function latestShape<T extends z.ZodType>(time: T) {
  return {
    collectedAt: time.describe("Time of collection according to the agent's clock"),
    receivedAt: time,
    sample: z.record(z.string(), z.unknown()).describe("The report. Every field name ends with its unit"),
  };
}

const bytes = z.number().int().min(0);

function trafficShape<T extends z.ZodType>(time: T) {
  return {
    mode: trafficSchema.shape.mode.unwrap(),
    limitBytes: bytes.describe("Traffic limit in bytes; 0: no limit"),
    usedBytes: bytes.describe(
      "Used traffic of the current cycle in bytes, according to the counting mode and with the correction of this cycle",
    ),
    percent: z.number().min(0).optional().describe("Used percentage of the limit; absent without a limit"),
    cycleFrom: time,
    cycleTo: time.describe("Start of the next cycle"),
  };
}

/** All that is known of the traffic of a cycle. */
export const trafficUseSchema = z.object({
  ...trafficShape(isoTimeSchema),
  rxBytes: bytes.describe("Counted bytes received in this cycle"),
  txBytes: bytes.describe("Counted bytes sent in this cycle"),
});

/** The used traffic of a cycle, according to the provider. */
export const trafficCorrectionSchema = z.strictObject({
  usedBytes: bytes.max(Number.MAX_SAFE_INTEGER),
  version: z.number().int().min(1).optional(),
});

export const correctedTrafficSchema = z.object({ traffic: trafficUseSchema, version: z.number().int() });
export type CorrectedTraffic = z.infer<typeof correctedTrafficSchema>;

const nextExpiry = "Next end of the billing period: `billing.expiresAt`, advanced automatically if it renews";

const maintenanceEnd = "End of the current planned maintenance; absent outside a window";

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
        "Position among the visible servers, from 1. Hidden servers have a fractional position between their neighbors",
      ),
    region: z.string().describe("Country code (ISO 3166-1 alpha-2), or empty"),
    provider: z.string().optional().describe("Hosting provider; absent if unknown"),
    publicNote: z.string(),
    billing: billingSchema.optional(),
    nextExpiryAt: time.optional().describe(nextExpiry),
    traffic: z
      .object(trafficShape(time))
      .optional()
      .describe("Traffic of the current cycle; absent without a limit and without traffic"),
    host: hostFacts.optional(),
    hidden: z.literal(true).optional().describe("Present if the server is visible only to administrators"),
    state: z.enum(serverStates),
    reports: z
      .enum(["missing", "rejected"])
      .optional()
      .describe(
        "Why an online server has no new data: `missing` if its agent is connected but has sent no report for a minute, `rejected` if its reports are invalid; absent while reports arrive",
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
    .describe("Uptime as a share of the monitored minutes: today and over the last 30 and 90 days"),
});
export type ServerDetail = z.infer<typeof serverDetailSchema>;

export const serverListSchema = z.object({
  items: z.array(serverAnswerSchema).describe("The servers in display order"),
  now: isoTimeSchema,
});

export const adminServerSchema = serverFieldsSchema.extend({
  dependsOn: z.array(z.string()).describe("IDs of the checks and servers that this server depends on"),
  id: serverIdSchema,
  trafficUse: trafficUseSchema,
  nextExpiryAt: isoTimeSchema.optional().describe(nextExpiry),
  version: z.number().int().describe("Send it back with PUT to detect concurrent changes"),
  displayOrder: z.number().int(),
  host: hostFacts.optional(),
  agent: z.object({
    hostname: z.string(),
    addresses: z.array(z.string()).optional().describe("IP addresses reported by the machine"),
    peerAddress: z
      .string()
      .optional()
      .describe("Source IP address of the connection: the machine, a router or a proxy"),
    version: z.string().optional(),
    isOutdated: z.boolean().describe("Whether the agent is older than the one offered by this monitor"),
    keyPrefix: z.string(),
    keyRotatedAt: isoTimeSchema,
    clockSkewMs: z
      .number()
      .optional()
      .describe("Clock difference between agent and service in milliseconds (positive: the agent is ahead)"),
    duplicateAgent: z.boolean().describe("Whether two machines seem to use the same key"),
    reportsStored: z.number().int(),
    reports: z.enum(["missing", "rejected"]).optional().describe("Same as in the public view"),
    faults: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .optional()
      .describe("Values that the agent cannot read on its machine and that are missing in its reports"),
    rejectedBecause: z.string().optional().describe("Reason for rejected reports, as sent to the agent"),
  }),
  state: z.enum(serverStates),
  stateSince: isoTimeSchema,
  lastSeenAt: isoTimeSchema.optional(),
  maintenanceUntil: isoTimeSchema.optional().describe(maintenanceEnd),
  latest: z
    .object({
      ...latestShape(isoTimeSchema),
      flags: z.array(z.string()).describe("Names of values that were clamped to their valid range"),
    })
    .optional(),
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
});
export type AdminServer = z.infer<typeof adminServerSchema>;

export const adminServerListSchema = z.object({ items: z.array(adminServerSchema), now: isoTimeSchema });
export type AdminServerList = z.infer<typeof adminServerListSchema>;

export const createdServerSchema = adminServerSchema.extend({
  agentKey: z
    .string()
    .describe("Credential of the agent. Shown only in this response; Trivet stores only a hash"),
  command: z.string().describe("Command that runs the agent with this key"),
});
/** A new server, or one with a new key. */
export type CreatedServer = z.infer<typeof createdServerSchema>;

/** How long the old key of an agent stays valid. */
export const keyRotationSchema = z.strictObject({
  graceSeconds: z.number().int().min(0).max(86_400).default(0),
});

/** An audit entry; the monitor records no applications. */
export const auditEntrySchema = auditRecordSchema
  .omit({ version: true, clientId: true })
  .extend({ at: isoTimeSchema });
export type AuditEntryView = z.infer<typeof auditEntrySchema>;
