/** The monitor's HTTP application: every route in one place, its index document and its OpenAPI document. */
import { z } from "@hono/zod-openapi";
import type { ConsolePlace } from "../../kit/outbound/consoles.ts";
import { type CommonAppOptions, type ServiceApp, createServiceApp } from "../../kit/http/app.ts";
import { addDescriptorRoutes } from "../../kit/http/descriptor-routes.ts";
import { addDocs, listRoutes } from "../../kit/http/docs.ts";
import { applicationScopes } from "../../records/rights/application-scopes.ts";
import { addProtectedResourceRoute } from "../../kit/resource/metadata-route.ts";
import { addHealthRoute } from "../../kit/http/health-route.ts";
import { addMetricsRoute } from "../../kit/http/metrics-route.ts";
import { addDoctorRoute } from "../../kit/doctor/doctor-route.ts";
import { problemResponses } from "../../kit/http/schemas.ts";
import { isForPeople, wantsPage } from "../../kit/http/routing.ts";
import type { Documentation, PageAssets, WebAssets } from "../../kit/http/web-assets.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { OriginRules } from "../../kit/outbound/origin.ts";
import type { Feed } from "../fleet/feed.ts";
import type { Monitor } from "./monitor.ts";
import type { SettingsFields } from "../base/schema.ts";
import { addCenterRoutes } from "../access/center-routes.ts";
import { addAccessRoutes } from "../access/session-routes.ts";
import { addChannelRoutes } from "../channels/routes.ts";
import { findOwnMute } from "../alerts/context.ts";
import { addAlertRoutes } from "../alerts/http/routes.ts";
import { adminErrors, adminSchemes, adminSecurity } from "../edge/admin-env.ts";
import { createAdminGuard, createMetricsGuard } from "../access/http/admin-guard.ts";
import { addNoticeRoutes } from "../channels/notification-routes.ts";
import { SERVER_IMPORT_PATH, addServerImportRoute } from "../moving/routes.ts";
import { addAdminServerRoutes } from "../fleet/admin-routes.ts";
import { type SiteBackups, addBackupRoutes } from "../site/backup-routes.ts";
import { addSiteRoutes } from "../site/admin-routes.ts";
import { addMaintenanceRoutes } from "../maintenance/routes.ts";
import { IMPORT_BODY_BYTES, IMPORT_PATH, addImportRoutes } from "../checks/import/routes.ts";
import { addCheckRoutes } from "../checks/routes.ts";
import { addShownCheckRoutes } from "../checks/shown-routes.ts";
import { addPlaceRoutes } from "../places/routes.ts";
import { addPingRoutes } from "../heartbeats/ping-routes.ts";
import { addHeartbeatRoutes } from "../heartbeats/routes.ts";
import { addMailServerRoutes } from "../channels/mail-routes.ts";
import { addUsageRoutes } from "../fleet/usage-routes.ts";
import { addDocumentationRoutes } from "../site/documentation-routes.ts";
import { type PageHandler, addDashboardRoutes, createPageHandler } from "../site/routes.ts";
import { type AgentEndpoint, addEnrolRoute } from "../ingest/routes.ts";
import { addReportRoute, agentSchemes } from "../ingest/report-routes.ts";
import { addEnrolmentRoutes } from "../ingest/enrolment-routes.ts";
import type { ListDownloads } from "../install/download-schema.ts";
import { addInstallRoutes, toOwnUrl } from "../install/routes.ts";
import type { PublicAddress } from "../base/public-url.ts";
import { addFeedRoute } from "../fleet/feed-routes.ts";
import { monitorDailyWork, monitorGroups, monitorNouns } from "../edge/groups.ts";
import { createFindMachine } from "../../records/rights/machines.ts";
import { addApiKeyRoutes } from "../../records/rights/key-routes.ts";
import { createDailyWork, createFreshProofCheck } from "../../records/rights/fresh-proof.ts";
import { createRouteScopes } from "../../records/rights/route-scopes.ts";
import { addAccessTokenRoutes } from "../access/admin-routes.ts";
import { addVisitorRoutes } from "../access/routes.ts";
import type { Right } from "../access/visitor.ts";
import {
  type FindVisitor,
  createFindVisitor,
  createPrivateGuard,
  visitorSchemes,
} from "../access/http/visitor-guard.ts";
import { declareMonitorMetrics } from "./metrics.ts";
import { addStatus, createHostPaths, createMonitorErrorPage } from "./status-app.ts";
import { addPublicRoutes } from "../fleet/routes.ts";
import { addPartRoutes } from "../parts/routes.ts";

const TITLE = "Trivet monitor";
const DESCRIPTION =
  "Server monitoring: agents report over gRPC; dashboards and programs read lists, history and a live feed.";

/** Limits of requests. */
const accepted = {
  bodyLimitBytes: 1_048_576,
  // Jobs send their whole output, of which little is kept, and messages as they come.
  bodyLimits: {
    "/ping": 67_108_864,
    [IMPORT_PATH]: IMPORT_BODY_BYTES,
    [SERVER_IMPORT_PATH]: IMPORT_BODY_BYTES,
  },
  anyQueryPaths: ["/api/push/"],
};

export interface MonitorAppOptions extends CommonAppOptions {
  /** The dashboard's files. */
  readonly assets: WebAssets;
  /** Assets of pages rendered here. */
  readonly pageAssets: PageAssets;
  /** Served at /docs when the settings say so. */
  readonly documentation: Documentation;
  /** Consoles of this install, for the switch between them. */
  readonly consoles?: readonly ConsolePlace[];
  readonly feed: Feed;
  /** The agent's files, and the text of the script that installs them. */
  readonly install: { readonly listDownloads: ListDownloads; readonly script: string };
  /** The port on which agents connect. */
  readonly grpcPort: () => number;
  /** Whether that port speaks TLS. Default false. */
  readonly grpcTls?: boolean;
  /** Where agents connect when there is a proxy in front of that port; undefined: at the port itself. */
  readonly publicGrpc?: AgentEndpoint | undefined;
  /** Whether NOTIFY_PRIVATE allows receivers in private networks. Default false. */
  readonly notifyPrivate?: boolean;
  /** Whether CHECKS_PRIVATE allows checks of private networks. Default false. */
  readonly checksPrivate?: boolean;
  /** Where the backups are kept; undefined while there is no place for them. */
  readonly backups?: SiteBackups | undefined;
  /** Whether the records are in PostgreSQL. Default false. */
  readonly hasDatabase?: boolean;
  /** Called when settings changed that timers depend on. */
  readonly onSettings: (settings: SettingsFields) => void;
}

const indexSchema = z.object({
  service: z.string(),
  version: z.string(),
  admin: z.array(z.string()),
  public: z.array(z.string()),
});

/** The service descriptor. */
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
function toAgentEndpoint(
  options: MonitorAppOptions,
  { publicUrl }: PublicAddress,
  requestUrl: string,
): AgentEndpoint {
  if (options.publicGrpc !== undefined) return options.publicGrpc;
  const { hostname } = new URL(publicUrl ?? requestUrl);
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

/** Public routes; a new machine needs an enrollment code. */
function addOpenRoutes(
  app: ServiceApp,
  monitor: Monitor,
  options: MonitorAppOptions & {
    readonly findVisitor: FindVisitor;
    readonly page: PageHandler;
    readonly origins: OriginRules;
  },
): void {
  const { publicSnapshot, live, usage, history, factsOf, settings, enrolments, address } = monitor;
  const { assets, version, clock, feed, findVisitor, page, origins } = options;
  addDescriptorRoutes(app, {
    noun: "index",
    summary: "Service descriptor with all routes",
    schema: indexSchema,
    describe: () => describe(app, options),
    page: { name: "the dashboard", wants: wantsPage, show: (c) => page(c) },
  });
  addHealthRoute(app, options.health);
  addProtectedResourceRoute(app, (url) => {
    const authorizationServer = monitor.center?.findUrl(url);
    if (authorizationServer === undefined) return undefined;
    const resource = address.publicUrl ?? new URL(url).origin;
    return { resource, authorizationServer, scopes: applicationScopes.monitor, name: "Monitor" };
  });
  addPublicRoutes(app, {
    publicSnapshot,
    findVisitor,
    live,
    usage,
    history,
    factsOf,
    now: () => clock.now(),
  });
  addShownCheckRoutes(app, { ...monitor, findVisitor, now: () => clock.now() });
  addPartRoutes(app, { publicSnapshot, findVisitor, parts: monitor.parts, now: () => clock.now() });
  addFeedRoute(app, { feed, findVisitor, origins });
  addDashboardRoutes(app, { settings, assets, version, address, findVisitor, page });
  addDocumentationRoutes(app, { settings, documentation: options.documentation });
  addEnrolRoute(app, { enrolments, agentEndpoint: (url) => toAgentEndpoint(options, address, url) });
  addReportRoute(app, monitor);
  addInstallRoutes(app, { ...options.install, version, address });
  addPingRoutes(app, monitor.heartbeats);
}

/** Keeps a private site to those who may look; gives how visitors are found, and the page that knows them. */
function addPrivateGuard(
  app: ServiceApp,
  { sessions, access, rightOf, accountTokens, settings, address }: Monitor,
  { origins, assets }: { readonly origins: OriginRules; readonly assets: WebAssets },
) {
  const strangersRight = (): Right => access.strangersRight;
  const findVisitor = createFindVisitor({ sessions, rightOf, accountTokens, strangersRight, origins });
  const page = createPageHandler({ settings, assets, address, findVisitor });
  const guard = createPrivateGuard({
    isPrivate: () => access.settings.isPrivate,
    findVisitor,
    toPage: (c) => (isForPeople(c) ? page(c, 401) : undefined),
  });
  app.use("*", guard);
  return { findVisitor, page };
}

/** The rules with the address as it is when a request comes. */
function toOriginRules(allowedOrigins: readonly string[], address: PublicAddress): OriginRules {
  return {
    allowedOrigins,
    get publicUrl() {
      return address.publicUrl;
    },
  };
}

/** Routes of checks, heartbeats, alerts and status pages. */
function addWatchRoutes(
  app: ServiceApp,
  monitor: Monitor,
  {
    guard,
    clock,
    checksPrivate = false,
  }: {
    readonly guard: ReturnType<typeof createAdminGuard>;
    readonly clock: Clock;
    readonly checksPrivate?: boolean | undefined;
  },
): void {
  const {
    alerts,
    findMaintenanceEnd,
    findWatched,
    servers,
    maintenance,
    checks,
    checkDirectory: directory,
    checkBox: box,
    heartbeats,
    placeFiles,
  } = monitor;
  addAlertRoutes(app, {
    alerts,
    guard,
    clock,
    findMaintenanceEnd,
    findMute: (ref) => findOwnMute(findWatched(ref), clock.now()),
    setMute: ({ serverId = "", checkId }, mute, actor) =>
      checkId === undefined
        ? servers.change(serverId, { patch: { mute }, actor })
        : checks.change(checkId, { patch: { mute }, actor }),
  });
  addMaintenanceRoutes(app, { maintenance, guard });
  addImportRoutes(app, {
    checks,
    directory,
    guard,
    allowsPrivate: async () => checksPrivate || (await monitor.settings.read()).privateTargets,
  });
  const findHeartbeat = (id: string) => heartbeats.watch.findFacts(id);
  addCheckRoutes(app, {
    checks,
    directory,
    findHeartbeat,
    box,
    guard,
    history: monitor.checkHistory,
    timeline: monitor.checkTimeline,
    now: () => clock.now(),
  });
  addHeartbeatRoutes(app, { heartbeats, guard });
  addPlaceRoutes(app, { placeFiles, guard });
}

/** How the monitor itself fares, for administrators. */
function addOperationRoutes(
  app: ServiceApp,
  { store, access, apiKeys }: Monitor,
  options: MonitorAppOptions & { readonly guard: ReturnType<typeof createAdminGuard> },
): void {
  const { clock, metrics, guard } = options;
  const { backups, hasDatabase: isWithoutRecords = false } = options;
  const refusals = problemResponses(...adminErrors);
  const guarded = { guard, security: adminSecurity, refusals };
  addApiKeyRoutes(app, { ...guarded, service: "monitor", tag: "api keys", keys: apiKeys });
  addDoctorRoute(app, options.examine, {
    ...guarded,
    tag: "operation",
    scope: "monitor-settings:read",
  });
  addBackupRoutes(app, { backups, isWithoutRecords, store, clock, guard });
  addMetricsRoute(app, metrics, {
    guard: createMetricsGuard({ guard, access }),
    // A private site must not reveal names of servers.
    isOpen: () => !access.settings.isPrivate,
    security: adminSecurity,
    refusals: problemResponses("unauthenticated", "insufficient_scope", "rate_limited"),
    scope: "servers:read",
    isPublic: options.metricsPublic,
  });
}

/** Creates the application over a monitor. */
export function createMonitorApp(monitor: Monitor, options: MonitorAppOptions): ServiceApp {
  const { clock, metrics, feed, assets } = options;
  const { address } = monitor;
  const app = createServiceApp({
    ...options,
    address,
    errorPage: createMonitorErrorPage(options.pageAssets, (_, c) => page(c, 404)),
    toPath: createHostPaths(monitor),
    isProtectedResource: monitor.center !== undefined,
    name: "monitor",
    title: TITLE,
    description: DESCRIPTION,
    ...accepted,
  });
  const { sessions, settings, servers, enrolments, store, historyUse, factsOf } = monitor;
  const { publicSnapshot, usage, uptimeAnswers, channels, notices } = monitor;
  const allowedOrigins = options.allowedOrigins.filter((origin) => origin !== "*");
  const origins = toOriginRules(allowedOrigins, address);
  const scopes = createRouteScopes(app, monitorNouns);
  const guard = createAdminGuard({
    sessions,
    origins,
    scopes,
    needsFreshProof: createFreshProofCheck(app, createDailyWork(scopes, monitorDailyWork)),
    now: () => clock.now(),
    apiKeys: monitor.apiKeys,
    findMachine: createFindMachine(monitor.center),
  });
  const { access, accessTokens, signInAccount, center } = monitor;
  const { findVisitor, page } = addPrivateGuard(app, monitor, { origins, assets });
  declareMonitorMetrics(metrics, { ...monitor, checks: monitor.checkDirectory, feed });

  addOpenRoutes(app, monitor, { ...options, findVisitor, page, origins });
  const toUrl = (requestUrl: string): string => toOwnUrl(requestUrl, address);
  addEnrolmentRoutes(app, { enrolments, guard, toUrl, address });
  addAccessRoutes(app, { sessions, guard, address, consoles: options.consoles ?? [] });
  const now = (): number => clock.now();
  addVisitorRoutes(app, { access, signInAccount, center, sessions, findVisitor, now, origins });
  if (center !== undefined) addCenterRoutes(app, { center, access, sessions, now, origins });
  addAccessTokenRoutes(app, { tokens: accessTokens, guard, toUrl });
  addUsageRoutes(app, { publicSnapshot, findVisitor, servers, usage, uptimeAnswers, guard });
  const { alerts } = monitor;
  addServerImportRoute(app, { store, clock, enrolments, alerts, guard, toUrl, address });
  addAdminServerRoutes(app, {
    servers,
    factsOf,
    guard,
    now,
    agentCommand: (credential, url) =>
      toAgentCommand(toAgentEndpoint(options, address, url), { ...credential, url: toUrl(url) }),
  });
  addWatchRoutes(app, monitor, { guard, clock, checksPrivate: options.checksPrivate });
  addChannelRoutes(app, { channels, settings, guard, address });
  addNoticeRoutes(app, { notices, guard });
  addSiteRoutes(app, {
    settings,
    historyUse,
    store,
    guard,
    environment: {
      publicUrl: address.fromEnvironment,
      privateReceivers: options.notifyPrivate ?? false,
      privateTargets: options.checksPrivate ?? false,
    },
    onSettings: options.onSettings,
  });
  addStatus(app, monitor, { guard, origins, clock, assets: options.pageAssets });
  addMailServerRoutes(app, { mailServers: monitor.mailServers, guard, clock });
  addOperationRoutes(app, monitor, { ...options, guard });
  addDocs(app, {
    groups: monitorGroups,
    scopeOf: scopes.find,
    securitySchemes: { ...adminSchemes, ...visitorSchemes, ...agentSchemes },
    ...(address.publicUrl === undefined ? {} : { servers: [{ url: address.publicUrl }] }),
  });
  return app;
}
