/** The monitor's HTTP application: every route in one place, its index document and its OpenAPI document. */
import { z } from "@hono/zod-openapi";
import { type CommonAppOptions, type ServiceApp, createServiceApp } from "../../kit/http/app.ts";
import { addDescriptorRoutes } from "../../kit/http/descriptor-routes.ts";
import { addDocs, listRoutes } from "../../kit/http/docs.ts";
import { addHealthRoute } from "../../kit/http/health-route.ts";
import { addMetricsRoute } from "../../kit/http/metrics-route.ts";
import { problemResponses } from "../../kit/http/schemas.ts";
import type { WebAssets } from "../../kit/http/web-assets.ts";
import type { Feed } from "../fleet/feed.ts";
import type { Monitor } from "../monitor.ts";
import type { SettingsFields } from "../schema.ts";
import { addAccessRoutes } from "../admin/routes.ts";
import { addChannelRoutes } from "../channels/routes.ts";
import { addAlertRoutes } from "../alerts/routes.ts";
import { adminSchemes, adminSecurity, createAdminGuard } from "./admin-guard.ts";
import { addNoticeRoutes } from "../channels/notification-routes.ts";
import { addAdminServerRoutes } from "../fleet/admin-routes.ts";
import { addSiteRoutes } from "../site/admin-routes.ts";
import { addUsageRoutes } from "../fleet/usage-routes.ts";
import { addDashboardRoutes, createPageHandler, wantsPage } from "../site/routes.ts";
import { type AgentEndpoint, addEnrolRoute } from "../ingest/routes.ts";
import { addEnrolmentRoutes } from "../ingest/enrolment-routes.ts";
import type { Downloads } from "../install/downloads.ts";
import { addInstallRoutes, toOwnUrl } from "../install/routes.ts";
import { addFeedRoute } from "../fleet/feed-routes.ts";
import { monitorGroups } from "./groups.ts";
import { declareMonitorMetrics } from "./metrics.ts";
import { addPublicRoutes } from "../fleet/routes.ts";

const TITLE = "Trivet monitor";
const DESCRIPTION =
  "Watches servers: agents report over gRPC, people look at lists, history and a live feed.";

export interface MonitorAppOptions extends CommonAppOptions {
  /** The dashboard's files. */
  readonly assets: WebAssets;
  readonly feed: Feed;
  /** The agent's files, and the text of the script that installs them. */
  readonly install: { readonly downloads: Downloads; readonly script: string };
  /** Where people reach the service; undefined: as the request says. */
  readonly publicUrl?: string | undefined;
  /** The port on which agents connect. */
  readonly grpcPort: () => number;
  /** Whether that port speaks TLS. Default false. */
  readonly grpcTls?: boolean;
  /** Where agents connect when a proxy stands before that port; undefined: at the port itself. */
  readonly publicGrpc?: AgentEndpoint | undefined;
  /** Called when settings changed that timers depend on. */
  readonly onSettings: (settings: SettingsFields) => void;
}

const indexSchema = z.object({
  service: z.string(),
  version: z.string(),
  admin: z.array(z.string()),
  public: z.array(z.string()),
});

/** What the service says of itself. */
function describe(app: ServiceApp, options: MonitorAppOptions): z.infer<typeof indexSchema> {
  const routes = listRoutes(app);
  const named = (access: string): string[] =>
    routes.filter((route) => route.access === access).map((route) => `${route.method} ${route.path}`);
  const grpc = `gRPC monitor.v1.AgentIngest.Connect, bidirectional stream, on GRPC_PORT (${options.grpcPort()})`;
  return {
    service: TITLE,
    version: options.version,
    admin: named("admin"),
    public: [...named("public"), grpc],
  };
}

/** Where agents connect, seen from a request. */
function toAgentEndpoint(options: MonitorAppOptions, requestUrl: string): AgentEndpoint {
  if (options.publicGrpc !== undefined) return options.publicGrpc;
  const { hostname } = new URL(options.publicUrl ?? requestUrl);
  return { address: `${hostname}:${options.grpcPort()}`, tls: options.grpcTls ?? false };
}

/** The line that runs an agent with an id and key that were made by hand. */
function toAgentCommand(
  { address, tls }: AgentEndpoint,
  { id, key, url }: { id: string; key: string; url: string },
): string {
  const options = `--server ${address}${tls ? " --tls" : ""} --id ${id} --key ${key}`;
  return `curl -fsSLO ${url}/download/agent.js && node agent.js ${options}`;
}

/** What needs no credential, but an enrolment code for a new machine. */
function addOpenRoutes(app: ServiceApp, monitor: Monitor, options: MonitorAppOptions): void {
  const { publicSnapshot, live, usage, history, factsOf, settings, enrolments } = monitor;
  const { publicUrl, allowedOrigins, assets, version, clock, feed } = options;
  addDescriptorRoutes(app, {
    noun: "index",
    summary: "What this service is and which routes it has",
    schema: indexSchema,
    describe: () => describe(app, options),
    page: { name: "the dashboard", wants: wantsPage, show: createPageHandler({ settings, assets }) },
  });
  addHealthRoute(app, options.health);
  addPublicRoutes(app, { publicSnapshot, live, usage, history, factsOf, now: () => clock.now() });
  addFeedRoute(app, feed, { allowedOrigins, publicUrl });
  addDashboardRoutes(app, { settings, assets, version });
  addEnrolRoute(app, { enrolments, agentEndpoint: (url) => toAgentEndpoint(options, url) });
  addInstallRoutes(app, { ...options.install, version, publicUrl });
}

/** Makes the application over a monitor. */
export function createMonitorApp(monitor: Monitor, options: MonitorAppOptions): ServiceApp {
  const { publicUrl, clock, metrics, feed } = options;
  const app = createServiceApp({
    ...options,
    name: "monitor",
    title: TITLE,
    description: DESCRIPTION,
    bodyLimitBytes: 1_048_576,
  });
  const { sessions, settings, servers, enrolments, store, historyUse, factsOf } = monitor;
  const { publicSnapshot, live, usage, uptimeAnswers } = monitor;
  const { alerts, channels, notices, nodes, registry, ingest } = monitor;
  const allowedOrigins = options.allowedOrigins.filter((origin) => origin !== "*");
  const guard = createAdminGuard({ sessions, origins: { allowedOrigins, publicUrl } });
  const fleet = { publicSnapshot, live, factsOf, feed };
  declareMonitorMetrics(metrics, { ...fleet, alerts, notices, nodes, registry, ingest });

  addOpenRoutes(app, monitor, options);
  const toUrl = (requestUrl: string): string => toOwnUrl(requestUrl, publicUrl);
  addEnrolmentRoutes(app, { enrolments, guard, toUrl });
  addAccessRoutes(app, { sessions, guard, publicUrl });
  addUsageRoutes(app, { publicSnapshot, servers, usage, uptimeAnswers, guard });
  addAdminServerRoutes(app, {
    servers,
    factsOf,
    guard,
    now: () => clock.now(),
    agentCommand: (credential, url) =>
      toAgentCommand(toAgentEndpoint(options, url), { ...credential, url: toUrl(url) }),
  });
  addAlertRoutes(app, { alerts, guard, clock });
  addChannelRoutes(app, { channels, settings, guard, publicUrl });
  addNoticeRoutes(app, { notices, guard });
  addSiteRoutes(app, {
    ...{ settings, historyUse, store, guard },
    onSettings: options.onSettings,
  });
  addMetricsRoute(app, metrics, {
    guard,
    security: adminSecurity,
    refusals: problemResponses("unauthenticated", "rate_limited"),
    isPublic: options.metricsPublic,
  });
  addDocs(app, {
    groups: monitorGroups,
    securitySchemes: adminSchemes,
    ...(publicUrl === undefined ? {} : { servers: [{ url: publicUrl }] }),
  });
  return app;
}
