/** Signing in to the console: with the administrator token, or as the person who signed in to the shop. */
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import type { HostCookie } from "../../kit/http/cookies.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { AccountCenter } from "../../kit/outbound/account-center.ts";
import { type ConsolePlace, toConsoleAddresses } from "../../kit/outbound/consoles.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { CONSOLE_SESSION_PATH, addConsoleEntry, consoleRoute } from "../../html/console-entry.ts";
import { assertOwnPage } from "../../html/form-origin.ts";
import type { AdminTokenCheck } from "../../records/admin-token-check.ts";
import { CONSOLE_SECONDS, type ConsoleSessions } from "../../records/console-sessions.ts";
import { opensService } from "../../records/rights/scopes.ts";
import { showScopes } from "../../records/rights/principal.ts";
import { findHeld } from "../edge/admin-guard.ts";
import { ShopError } from "../base/errors.ts";
import { createRoute } from "../edge/create-route.ts";
import type { UserCheck } from "../users/user-check.ts";
import { type ConsoleSessionView, consoleSessionSchema } from "./schema.ts";

const example: ConsoleSessionView = {
  status: "signed_in",
  name: "",
  expiresAt: "2026-11-23T12:00:00.000+00:00",
  demoPayment: false,
  consoles: [{ service: "shop", url: "https://shop.example.org/admin" }],
};

export interface ConsoleRoutesParts {
  readonly checkToken: AdminTokenCheck;
  readonly consoleSessions: ConsoleSessions;
  readonly userCheck: UserCheck;
  readonly cookie: HostCookie;
  /** Where people sign in to the shop itself; undefined: nowhere. */
  readonly center: AccountCenter | undefined;
  readonly publicUrl: string | undefined;
  /** Whether the demo payment is on. */
  readonly isDemoOn: () => boolean;
  /** Consoles of this install. */
  readonly consoles: readonly ConsolePlace[];
}

function createAsk(parts: ConsoleRoutesParts) {
  const { consoleSessions, userCheck, cookie, center, consoles, isDemoOn } = parts;
  const toInstall = (url: string, places = consoles) => ({
    demoPayment: isDemoOn(),
    consoles: toConsoleAddresses(places, url),
  });
  async function askPerson(c: Context<AppEnv>): Promise<ConsoleSessionView> {
    const { raw, url } = c.req;
    const out = async (): Promise<ConsoleSessionView> => ({
      status: "signed_out",
      signIn: center === undefined ? "unknown" : await center.ask(url),
    });
    if ((await userCheck.hasSession?.(raw)) !== true) return out();
    const result = await userCheck.validateRequest(raw);
    if (result.status === "auth_unavailable") return { status: "signed_out", signIn: "away" };
    if (result.status === "refused") return out();
    const name = result.user.username;
    const scopes = findHeld(result);
    if (scopes !== undefined) {
      const { adminScopes = [] } = result;
      const open = consoles.filter(({ service }) => scopes === "all" || opensService(service, adminScopes));
      return { status: "signed_in", name, ...showScopes(scopes), ...toInstall(url, open) };
    }
    const reason = result.administers === false ? "second_factor_missing" : "role";
    return { status: "refused", name, reason, accountUrl: center?.findUrl(url) };
  }
  return async (c: Context<AppEnv>): Promise<ConsoleSessionView> => {
    const token = cookie.read(c);
    const session = token === undefined ? undefined : await consoleSessions.find(token);
    if (session === undefined) return askPerson(c);
    return {
      status: "signed_in",
      name: "",
      expiresAt: toIsoTime(session.expiresAt),
      ...toInstall(c.req.url),
    };
  };
}

/** Ends the sign-in of a person, at the auth center too. */
async function endPerson(c: Context<AppEnv>, center: AccountCenter | undefined): Promise<void> {
  const tokens = await center?.cookie.read(c.req.raw);
  if (center === undefined || tokens === undefined) return;
  if (!(await center.end(tokens)))
    throw new ShopError(
      "auth_unavailable",
      "The auth center is unavailable, so you are still signed in there. Try again soon",
      { retryAfterSeconds: 5 },
    );
  c.header("set-cookie", center.cookie.clear(), { append: true });
}

/** Adds the routes below /api/console/session. */
export function addConsoleRoutes(app: ServiceApp, parts: ConsoleRoutesParts): void {
  const { center, publicUrl } = parts;
  const ask = createAsk(parts);
  const show = createRoute({
    ...consoleRoute,
    method: "get",
    path: CONSOLE_SESSION_PATH,
    operationId: "getConsoleSession",
    summary: "Get the console session of the browser's cookies",
    responses: { 200: jsonResponse("The session", consoleSessionSchema, example) },
    errors: ["origin_refused", "store_unavailable"],
  });
  app.openapi(show, async (c) => {
    assertOwnPage(c.req.raw, publicUrl);
    c.header("cache-control", "no-store");
    return c.json(await ask(c), 200);
  });
  addConsoleEntry(app, {
    ...parts,
    cookieSeconds: CONSOLE_SECONDS,
    toFrom: (c) => ({ clientId: "shop", requestId: c.get("requestId") }),
    endPerson: (c) => endPerson(c, center),
  });
}
