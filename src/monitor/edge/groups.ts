/** The groups of the routes in the order of Swagger UI: what everybody may see first, administrators after it. */
import type { RouteScope, TagNouns } from "../../records/rights/route-scopes.ts";

export const monitorGroups: Readonly<Record<string, string>> = {
  public: "Servers, their history and uptime, and the live feed, for everybody.",
  agents: "Enrolment of the agents, which report over gRPC afterwards.",
  heartbeats: "Where jobs say that they live, begin, end and fail: whoever knows the key.",
  access: "Signing in as an administrator, and out.",
  servers: "Servers, their keys, their order and the codes for enrolment, for administrators.",
  alerts: "Rules, what they find now, and incidents, for administrators.",
  checks: "What is asked from here and from agents, heartbeats, and how they stand, for administrators.",
  notifications: "Channels over which people are notified, and what was sent, for administrators.",
  status: "Status pages, and what is posted on them, for administrators.",
  settings: "Title, theme, intervals and limits, for administrators.",
  "api keys": "API keys for programs that administer this service.",
  backups: "Copies of everything that this program keeps, for administrators.",
  audit: "Audit log of administrator actions, with a tamper-evident hash chain.",
  operation: "What the monitor is, how it fares, and its figures.",
};

/** The noun of the scope that opens the admin routes of each group. */
export const monitorNouns = {
  "api keys": "administrator",
  access: "administrator",
  servers: "servers",
  checks: "checks",
  alerts: "alerts",
  notifications: "alerts",
  status: "status-pages",
  settings: "monitor-settings",
  backups: "monitor-settings",
  audit: "monitor-settings",
  operation: "monitor-settings",
} as const satisfies TagNouns<"monitor">;

/** What operators do all day: it needs no fresh proof unless its route says so. */
export const monitorDailyWork: ReadonlySet<RouteScope> = new Set([
  "servers:write",
  "checks:write",
  "alerts:write",
  "status-pages:write",
]);
