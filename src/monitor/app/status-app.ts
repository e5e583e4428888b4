/** Status pages as a part of the monitor's application: for visitors, for administrators, and on their own hosts. */
import type { MiddlewareHandler } from "hono";
import type { ErrorPage, ServiceApp } from "../../kit/http/app.ts";
import type { PageAssets } from "../../kit/http/web-assets.ts";
import type { OriginRules } from "../../kit/outbound/origin.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { createRightOf } from "../access/rights.ts";
import type { Monitor } from "./monitor.ts";
import { addStatusPages, createStatusErrorPage } from "../pages/status-routes.tsx";
import { toHost } from "../pages/visit.tsx";
import { addAlertPostRoutes } from "../status/from-alerts/routes.ts";
import { addSubscriberRoutes } from "../status/followers/routes.ts";
import { addStatusPostRoutes } from "../status/post-routes.ts";
import { addStatusPageRoutes } from "../status/routes.ts";
import type { GuardEnv } from "../edge/admin-env.ts";
import { createFindVisitor } from "../access/http/visitor-guard.ts";

/** Assets of pages on all hosts. */
const SHARED_PATH = /^\/(?:assets\/[^/]+|favicon\.ico|\.well-known\/security\.txt)$/u;

/** The path of the route for a request: on its own host, a status page is at the root, and nothing else is served. */
export function createHostPaths({ status, address }: Pick<Monitor, "status" | "address">) {
  const { board } = status;
  return (path: string, { url }: Request): string => {
    if (!board.hasHosts) return path;
    const host = toHost(url);
    const slug = board.findSlugOfHost(host);
    // An administrator who gave a page the monitor's own host still needs the console.
    const isMonitors = address.publicUrl !== undefined && toHost(address.publicUrl) === host;
    if (slug === undefined || isMonitors || SHARED_PATH.test(path)) return path;
    return `/status/${slug}${path === "/" ? "" : path}`;
  };
}

/** Finds who may look where strangers may not, also while the site itself is open to all. */
function createFindMember(
  { sessions, access, accountTokens }: Pick<Monitor, "sessions" | "access" | "accountTokens">,
  origins: OriginRules,
) {
  const closed = {
    strangersRight: "nothing" as const,
    useToken: access.useToken.bind(access),
  };
  const rightOf = createRightOf({ access: closed, sessions, accountTokens });
  return createFindVisitor({ sessions, rightOf, accountTokens, strangersRight: () => "nothing", origins });
}

/** Adds all routes of status pages. */
export function addStatus(
  app: ServiceApp,
  monitor: Pick<
    Monitor,
    "status" | "alertPosts" | "followers" | "address" | "sessions" | "access" | "accountTokens" | "center"
  >,
  given: {
    readonly guard: MiddlewareHandler<GuardEnv>;
    readonly origins: OriginRules;
    readonly assets: PageAssets;
    readonly clock: Clock;
  },
): void {
  const { status, followers, address, center } = monitor;
  const { guard, origins, assets, clock } = given;
  addStatusPageRoutes(app, { status, guard, address });
  addStatusPostRoutes(app, { status, guard });
  addAlertPostRoutes(app, { alertPosts: monitor.alertPosts, guard });
  addSubscriberRoutes(app, { followers, pages: status.pages, guard });
  const findMember = createFindMember(monitor, origins);
  const looks = { status, followers, address, assets, clock, findMember, hasCenter: center !== undefined };
  addStatusPages(app, { app, ...looks });
}

/** The page of an error: below /status it says nothing of the monitor; elsewhere the dashboard says that there is no such page. */
export function createMonitorErrorPage(assets: PageAssets, dashboard: ErrorPage): ErrorPage {
  const ofStatus = createStatusErrorPage({ assets });
  return (error, c) => ofStatus(error, c) ?? (error.code === "not_found" ? dashboard(error, c) : undefined);
}
