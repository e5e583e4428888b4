/** Signing in to the console: with the administrator token, or as the person whose session the browser has. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { type ConsolePlace, toConsoleAddresses } from "../../kit/outbound/consoles.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { AdminTokenCheck } from "../../records/admin-token-check.ts";
import { CONSOLE_SECONDS, type ConsoleSessions } from "../../records/console-sessions.ts";
import { CONSOLE_SESSION_PATH, addConsoleEntry, consoleRoute } from "../../html/console-entry.ts";
import { opensService } from "../../records/rights/scopes.ts";
import { showScopes } from "../../records/rights/principal.ts";
import { assertOwnPage } from "../../html/form-origin.ts";
import type { Administration } from "../administrators/administrators.ts";
import { isRecent, type Subject } from "../sessions/subject.ts";
import { hasSecondFactor } from "../accounts/status.ts";
import { passwordSchema } from "../accounts/schema.ts";
import { createBrowserCookies } from "../edge/browser-cookies.ts";
import { toCaller } from "../sessions/http/callers.ts";
import type { Passwords } from "../passwords/passwords.ts";
import { toTypedFactor } from "../second-factor/typed-code.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { AuthError } from "../base/errors.ts";
import { type ConsoleSessionView, consoleSessionSchema } from "./schema.ts";
import { createRoute } from "../edge/create-route.ts";

const PATH = CONSOLE_SESSION_PATH;
/** The longest that a person's session lives; the store ends an idle one before. */
const PERSON_SECONDS = 30 * 86_400;
const common = consoleRoute;
const example: ConsoleSessionView = {
  status: "signed_in",
  name: "ann",
  passwordSet: true,
  hasSecondFactor: true,
  isFresh: true,
  expiresAt: "2026-11-22T12:00:00+00:00",
  consoles: [{ service: "auth", url: "https://accounts.example.org/admin" }],
};

export interface ConsoleRoutesParts {
  readonly checkToken: AdminTokenCheck;
  readonly consoleSessions: ConsoleSessions;
  readonly browserSessions: BrowserSessions;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly administration: Administration;
  readonly publicUrl: string | undefined;
  readonly expiry: { now(): number };
  /** Consoles of this install. */
  readonly consoles: readonly ConsolePlace[];
}

function createAsk(parts: ConsoleRoutesParts) {
  const { consoleSessions, browserSessions, administration, publicUrl, expiry, consoles } = parts;
  const cookies = createBrowserCookies(publicUrl);
  const toPerson = async (subject: Subject, requestUrl: string): Promise<ConsoleSessionView> => {
    const { user, session } = subject;
    const held = await administration.findHeld(subject);
    if ("refusal" in held) return { status: "refused", name: user.username, reason: held.refusal };
    const { adminScopes } = await administration.findServiceRights(subject);
    const open = consoles.filter(({ service }) => opensService(service, adminScopes));
    return {
      status: "signed_in",
      name: user.username,
      passwordSet: user.passwordHash !== undefined,
      hasSecondFactor: hasSecondFactor(user),
      isFresh: isRecent(subject, expiry.now()),
      ...showScopes(held.scopes),
      expiresAt: toIsoTime(session.expiresAt),
      consoles: toConsoleAddresses(open, requestUrl),
    };
  };
  return async (c: Context<AppEnv>): Promise<ConsoleSessionView> => {
    const [console, person] = [cookies.console.read(c), cookies.person.read(c)];
    const session = console === undefined ? undefined : await consoleSessions.find(console);
    if (session !== undefined) {
      const expiresAt = toIsoTime(session.expiresAt);
      const may = { passwordSet: false, hasSecondFactor: false, isFresh: true };
      const addresses = toConsoleAddresses(consoles, c.req.url);
      return { status: "signed_in", name: "", ...may, expiresAt, consoles: addresses };
    }
    const subject = person === undefined ? undefined : await browserSessions.find(person);
    return subject === undefined ? { status: "signed_out" } : toPerson(subject, c.req.url);
  };
}

function addSession(app: ServiceApp, parts: ConsoleRoutesParts): void {
  const { sessions, publicUrl } = parts;
  const cookies = createBrowserCookies(publicUrl);
  const ask = createAsk(parts);
  const show = createRoute({
    ...common,
    method: "get",
    path: PATH,
    operationId: "getConsoleSession",
    summary: "Get the console session of the browser's cookies",
    responses: { 200: jsonResponse("The session", consoleSessionSchema, example) },
    errors: ["origin_refused"],
  });
  app.openapi(show, async (c) => {
    assertOwnPage(c.req.raw, publicUrl);
    c.header("cache-control", "no-store");
    return c.json(await ask(c), 200);
  });
  addConsoleEntry(app, {
    ...parts,
    cookie: cookies.console,
    cookieSeconds: CONSOLE_SECONDS,
    toFrom: (c) => toCaller(c),
    endPerson: async (c) => {
      const person = cookies.person.read(c);
      if (person !== undefined) await sessions.revokeToken(person, toCaller(c));
      cookies.person.clear(c);
    },
  });
}

function addProof(app: ServiceApp, parts: ConsoleRoutesParts): void {
  const { browserSessions, passwords, sessions, publicUrl } = parts;
  const cookies = createBrowserCookies(publicUrl);
  const prove = createRoute({
    ...common,
    method: "post",
    path: `${PATH}/proof`,
    operationId: "proveConsoleSession",
    summary: "Reauthenticate, for actions that require a recent sign-in. Replaces the cookie",
    request: {
      body: jsonBody(z.strictObject({ password: passwordSchema, code: z.string().max(40).default("") }), {
        password: "correct horse battery staple",
        code: "123456",
      }),
    },
    responses: { 204: { description: "Reauthenticated for the next 10 minutes" } },
    errors: [
      ...writeErrors,
      "unauthenticated",
      "origin_refused",
      "invalid_credentials",
      "code_invalid",
      "too_many_attempts",
    ],
  });
  app.openapi(prove, async (c) => {
    assertOwnPage(c.req.raw, publicUrl);
    const token = cookies.person.read(c);
    const subject = token === undefined ? undefined : await browserSessions.find(token);
    if (token === undefined || subject === undefined)
      throw new AuthError("unauthenticated", "No user account is signed in. Sign in again");
    const caller = toCaller(c);
    const { password, code } = c.req.valid("json");
    await passwords.reauthenticate(subject, { password, secondFactor: toTypedFactor(code), caller });
    const tokens = await sessions.refresh(token, caller);
    cookies.person.write(c, tokens.refreshToken, PERSON_SECONDS);
    return c.body(null, 204);
  });
}

/** Adds the routes below /api/console/session. */
export function addConsoleRoutes(app: ServiceApp, parts: ConsoleRoutesParts): void {
  addSession(app, parts);
  addProof(app, parts);
}
