/** The groups of the routes in the order of Swagger UI: public ones first, administrators after them. */
import type { RouteScope, TagNouns } from "../../records/rights/route-scopes.ts";

export const monitorGroups: Readonly<Record<string, string>> = {
  public: "Servers, history, uptime and the live feed. No sign-in required.",
  agents: "Enrollment of agents, which then report over gRPC.",
  heartbeats:
    "Pings of heartbeats: jobs report success, start, failure and exit status. The key in the URL is the credential.",
  access: "Administrator sign-in and sign-out.",
  servers: "Administration of servers: keys, order and enrollment codes.",
  alerts: "Administration of alerts: rules, current alerts and incidents.",
  checks: "Administration of checks and heartbeats, with their states.",
  notifications: "Administration of notification channels, and the log of notifications.",
  status: "Administration of status pages, incidents and maintenance.",
  settings: "Administration of the settings: title, theme, intervals and limits.",
  "api keys": "API keys for programs that administer this service.",
  backups: "Administration of backups.",
  audit: "Audit log of administrator actions, with a tamper-evident hash chain.",
  operation: "Service information, health and metrics.",
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

/** Daily work of operators: it needs no fresh verification unless its route says so. */
export const monitorDailyWork: ReadonlySet<RouteScope> = new Set([
  "servers:write",
  "checks:write",
  "alerts:write",
  "status-pages:write",
]);
