/**
 * Schemas of status pages: pages with their components, incidents with their updates, published maintenance, and
 * subscribers. Stored forms; the views have what people see.
 */
import { z } from "zod";
import { line, slug, text, timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import { languages } from "../../kit/text/languages.ts";
import { serverIdSchema } from "../base/schema.ts";

/** Pages that one monitor holds at most. */
export const MAX_PAGES = 20;

/** States of a component, as in Statuspage's API; the worst last. */
export const componentStatuses = [
  "operational",
  "under_maintenance",
  "degraded_performance",
  "partial_outage",
  "major_outage",
] as const;
export type ComponentStatus = (typeof componentStatuses)[number];

/** The source of a component's status. */
export const componentSourceSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("check"), checkId: trimmedLine(64) }),
  z.strictObject({ type: z.literal("server"), serverId: serverIdSchema }),
  /** Set by an administrator, and by open incidents. */
  z.strictObject({ type: z.literal("manual"), status: z.enum(componentStatuses).default("operational") }),
]);

export const componentSchema = z.strictObject({
  /** `cmp_` first; made where it is left out, and kept by who sends it back. */
  id: trimmedLine(64).optional(),
  name: trimmedLine(100),
  description: line(300).trim().default(""),
  /** Components of one group are shown together; empty: no group. */
  group: line(64).trim().default(""),
  source: componentSourceSchema,
  /** Whether 90 days of bars are shown. */
  showsHistory: z.boolean().default(true),
  /** Whether the response times of its check are shown. */
  showsLatency: z.boolean().default(false),
});
export type Component = z.infer<typeof componentSchema>;

const hostName = line(253)
  .trim()
  .toLowerCase()
  .refine(
    (host) => host === "" || /^[a-z0-9][a-z0-9.-]*\.[a-z0-9-]*[a-z0-9]$/u.test(host),
    "must be a host name such as status.example.org, without port and path",
  );
const webAddress = line(500)
  .trim()
  .refine(
    (address) => address === "" || (/^https?:\/\//iu.test(address) && URL.canParse(address)),
    "must be a URL such as https://example.org",
  );

/** Settings of a page. */
export const statusPageFieldsSchema = z.strictObject({
  /** Its URL: `/status/{slug}`; the first page also has `/status`. */
  slug,
  title: trimmedLine(100),
  description: text(1_000).default(""),
  /** Its own host, such as "status.example.org", where it is at the root; empty: none. */
  host: hostName.default(""),
  /** "members": who may look at the monitor, with its sign-in or the auth center's. */
  access: z.enum(["public", "members"]).default("public"),
  /** The language of what administrators write and of readers whose own is not there. */
  language: z.enum(languages).default("en"),
  components: z.array(componentSchema).max(200).default([]),
  /** Whether search engines are kept away. */
  noIndex: z.boolean().default(false),
  /** Whether people may follow it by mail, feed and webhook. */
  subscribers: z
    .strictObject({ mail: z.boolean().default(true), webhook: z.boolean().default(true) })
    .prefault({}),
  /** Whether an alert about one of its components makes an incident by itself; else it is a draft at one click. */
  publishesAlerts: z.boolean().default(false),
  /** Whether it can be read at all; a page that is not published is seen by administrators alone. */
  published: z.boolean().default(true),
  /** Styles of the owner, after the page's own; see docs/branding.md. */
  customCss: text(20_000).default(""),
  /** A link that leads on from the title; empty: none. */
  homeUrl: webAddress.default(""),
  /** Whether the monitor's planned maintenance is published if it covers components. */
  showsMaintenance: z.boolean().default(true),
});
export type StatusPageFields = z.infer<typeof statusPageFieldsSchema>;

export const statusPageRecordSchema = statusPageFieldsSchema.extend({
  id: z.string(),
  version: z.number().int(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type StatusPageRecord = z.infer<typeof statusPageRecordSchema>;

/** The way of an incident; the last two end it. */
export const incidentSteps = ["investigating", "identified", "monitoring", "resolved", "postmortem"] as const;
/** The way of planned maintenance. */
export const maintenanceSteps = ["scheduled", "in_progress", "verifying", "completed"] as const;
export const impacts = ["none", "minor", "major", "critical"] as const;
export type Impact = (typeof impacts)[number];

/** Updates that one post holds at most. */
export const MAX_UPDATES = 200;
/** Posts that one page holds at most. */
export const MAX_POSTS = 5_000;

/** An update of an incident; the newest counts. */
export const incidentUpdateSchema = z.object({
  id: z.string(),
  step: z.enum([...incidentSteps, ...maintenanceSteps]),
  /** Plain text with line breaks; addresses in it become links. */
  text: z.string(),
  /** Its displayed time, epoch milliseconds. */
  at: timeMs,
  /** Components that it concerned, with what was said of each. */
  components: z.record(z.string(), z.enum(componentStatuses)),
});
export type IncidentUpdate = z.infer<typeof incidentUpdateSchema>;

/** An incident, or planned maintenance, of one page. Not an incident of alerts: this is for the public. */
export const postRecordSchema = z.object({
  /** `inc_…` of incidents, `mnt_…` of maintenance. */
  id: z.string(),
  version: z.number().int(),
  pageId: z.string(),
  type: z.enum(["incident", "maintenance"]),
  title: z.string(),
  impact: z.enum(impacts),
  /** "draft": seen by administrators alone. */
  state: z.enum(["draft", "open", "ended"]),
  step: z.enum([...incidentSteps, ...maintenanceSteps]),
  /** The newest last. */
  updates: z.array(incidentUpdateSchema),
  /** States of its components while it is open, by component ID. */
  components: z.record(z.string(), z.enum(componentStatuses)),
  startedAt: timeMs,
  endedAt: timeMs.optional(),
  /** Of maintenance: when it is planned for. */
  plannedFrom: timeMs.optional(),
  plannedTo: timeMs.optional(),
  /** The planned maintenance of the monitor of which it is one time. */
  maintenanceId: z.string().optional(),
  /** The incidents of alerts that it was made from. */
  alertIncidentIds: z.array(z.string()).default([]),
  /** Whether alerts published it by themselves, and end it too. */
  isAutomatic: z.boolean().optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type PostRecord = z.infer<typeof postRecordSchema>;
