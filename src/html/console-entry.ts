/** Coming to the console of a service with the administrator token, and leaving it. */
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../kit/http/app.ts";
import type { HostCookie } from "../kit/http/cookies.ts";
import { commonErrors } from "../kit/errors.ts";
import { createRoutes, jsonBody, writeErrors } from "../kit/http/schemas.ts";
import { assertOwnPage } from "./form-origin.ts";
import { tokenSignInSchema } from "../kit/secrets/token-schema.ts";

/** Where the console of every service signs in. */
export const CONSOLE_SESSION_PATH = "/api/console/session";

/** Common to all routes of a console's session: they take no credential, but issue one. */
export const consoleRoute = { tags: ["console"], "x-access": "public" as const, security: [] };

const createRoute = createRoutes(commonErrors);

/** Where a request came from, for the audit. */
interface From {
  readonly clientId: string;
  readonly requestId: string;
}

export interface ConsoleEntryParts {
  /** @throws AppError `unauthenticated`, `rate_limited` */
  readonly checkToken: (token: string, clientAddress: string) => void;
  readonly consoleSessions: {
    open(adminToken: string, from: From): Promise<string>;
    end(token: string, from: From): Promise<void>;
  };
  readonly cookie: HostCookie;
  /** How long the cookie lasts. */
  readonly cookieSeconds: number;
  readonly publicUrl: string | undefined;
  readonly toFrom: (c: Context<AppEnv>) => From;
  /** Signs out the person whose account the browser is signed in to, and takes their cookie. */
  readonly endPerson: (c: Context<AppEnv>) => Promise<void>;
}

function addBegin(app: ServiceApp, parts: ConsoleEntryParts): void {
  const { checkToken, consoleSessions, cookie, cookieSeconds, publicUrl, toFrom } = parts;
  const begin = createRoute({
    ...consoleRoute,
    method: "post",
    path: CONSOLE_SESSION_PATH,
    operationId: "beginConsoleSession",
    summary: "Sign in to the console with the administrator token. Sets a session cookie for 12 hours",
    request: {
      body: jsonBody(tokenSignInSchema, { token: "adm_…" }),
    },
    responses: { 204: { description: "Signed in" } },
    errors: [...writeErrors, "unauthenticated", "origin_refused", "rate_limited"],
  });
  app.openapi(begin, async (c) => {
    assertOwnPage(c.req.raw, publicUrl);
    const { token } = c.req.valid("json");
    checkToken(token, c.get("clientAddress"));
    cookie.write(c, await consoleSessions.open(token, toFrom(c)), cookieSeconds);
    return c.body(null, 204);
  });
}

/** Adds POST and DELETE of /api/console/session. */
export function addConsoleEntry(app: ServiceApp, parts: ConsoleEntryParts): void {
  const { consoleSessions, cookie, publicUrl, toFrom, endPerson } = parts;
  addBegin(app, parts);
  const end = createRoute({
    ...consoleRoute,
    method: "delete",
    path: CONSOLE_SESSION_PATH,
    operationId: "endConsoleSession",
    summary: "Sign out of the console and of the browser's user account",
    responses: { 204: { description: "Signed out" } },
    errors: ["origin_refused", "store_unavailable", "unavailable"],
  });
  app.openapi(end, async (c) => {
    assertOwnPage(c.req.raw, publicUrl);
    const token = cookie.read(c);
    if (token !== undefined) await consoleSessions.end(token, toFrom(c));
    cookie.clear(c);
    await endPerson(c);
    return c.body(null, 204);
  });
}
