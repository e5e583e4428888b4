/** A visitor's rights, signing in with an account, and opening a viewer's link. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { line } from "../../kit/text/schemas.ts";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import {
  checkCookieOrigin,
  clearCookies,
  readSessionCookie,
  setSessionCookie,
  setViewerCookie,
} from "../edge/cookies.ts";
import { type FindVisitor, visitorErrors, visitorRoute } from "./http/visitor-guard.ts";
import type { AccountCenter } from "../../kit/outbound/account-center.ts";
import type { OriginRules } from "../../kit/outbound/origin.ts";
import type { AdminSessions } from "./sessions.ts";
import type { Access } from "./access.ts";
import type { AccountSignedIn, AccountSignIn } from "./account-sign-in.ts";
import { type AccessView, type AccountAnswerView, accessSchema, accountAnswerSchema } from "./view-schema.ts";
import { createRoute } from "../edge/create-route.ts";

/** How long a browser keeps a link without an end. */
const LINK_SECONDS = 365 * 86_400;

const password = z.strictObject({
  identifier: line(254).min(1),
  password: line(1_024).min(1),
});
const secondFactor = z.strictObject({
  challengeId: z.string().min(1).max(100),
  method: z.enum(["totp", "recovery"]).default("totp"),
  code: z.string().min(1).max(40),
});
export interface AccessRoutesOptions {
  readonly access: Pick<Access, "settings" | "takesAccounts" | "useToken" | "announce">;
  readonly signInAccount: AccountSignIn;
  readonly center: Pick<AccountCenter, "ask" | "findUrl"> | undefined;
  readonly sessions: Pick<AdminSessions, "signOut" | "findById">;
  readonly findVisitor: FindVisitor;
  readonly now: () => number;
  readonly origins: OriginRules;
}

const common = { tags: ["public"], "x-access": "public" as const };

/** How accounts sign in that came by this address. */
async function findWay(
  { access, center }: Pick<AccessRoutesOptions, "access" | "center">,
  requestUrl: string,
): Promise<Pick<AccessView, "way" | "centerUrl">> {
  if (!access.takesAccounts || center === undefined) return { way: "form" };
  const ways = { ready: "page", unknown: "form", away: "away" } as const;
  return { way: ways[await center.ask(requestUrl)], centerUrl: center.findUrl(requestUrl) };
}

function addRight(app: ServiceApp, options: AccessRoutesOptions): void {
  const { access, findVisitor } = options;
  const route = createRoute({
    ...common,
    method: "get",
    path: "/api/access",
    operationId: "getAccess",
    ...visitorRoute,
    summary: "Get the caller's access rights and the sign-in options. Also available on private sites",
    responses: {
      200: jsonResponse("The access rights", accessSchema, {
        right: "view",
        isPrivate: false,
        accounts: true,
        way: "page",
        centerUrl: "https://accounts.example.org",
      }),
    },
    errors: [...visitorErrors],
  });
  app.openapi(route, async (c) => {
    const { right } = await findVisitor(c);
    c.header("cache-control", "no-store");
    const known = { right, isPrivate: access.settings.isPrivate, accounts: access.takesAccounts };
    return c.json({ ...known, ...(await findWay(options, c.req.url)) }, 200);
  });
}

function toAnswer(answer: AccountSignedIn): AccountAnswerView {
  if (answer.status === "mfa_required") return { ...answer, methods: [...answer.methods] };
  const { status, right, name, expiresAt } = answer;
  return { status, right, name, expiresAt: toIsoTime(expiresAt) };
}

function addSignIn(app: ServiceApp, { signInAccount, now, origins }: AccessRoutesOptions): void {
  const route = createRoute({
    ...common,
    method: "post",
    path: "/api/access/session",
    operationId: "signInWithAccount",
    security: [],
    summary:
      "Sign in with an account of the auth center: username and password, then a second factor if required",
    request: {
      body: jsonBody(z.union([password, secondFactor]), {
        identifier: "ann",
        password: "correct horse battery staple",
      }),
    },
    responses: {
      200: jsonResponse("Signed in with an HttpOnly cookie, or a two-factor challenge", accountAnswerSchema, {
        status: "signed_in",
        right: "view",
        name: "ann",
        expiresAt: "2026-11-22T12:00:00+00:00",
      }),
    },
    errors: [...writeErrors, ...visitorErrors, "forbidden", "unavailable"],
  });
  app.openapi(route, async (c) => {
    const caller = { clientAddress: c.get("clientAddress"), requestId: c.get("requestId") };
    const answer = await signInAccount(c.req.valid("json"), caller);
    c.header("cache-control", "no-store");
    if (answer.status === "mfa_required") return c.json(toAnswer(answer), 200);
    const maxAgeSeconds = Math.ceil((answer.expiresAt - now()) / 1_000);
    setSessionCookie(c, answer.token, { publicUrl: origins.publicUrl, maxAgeSeconds });
    return c.json(toAnswer(answer), 200);
  });
}

/** Ends the session that a cookie holds. */
async function endSession(c: Context<AppEnv>, { sessions, origins }: AccessRoutesOptions): Promise<void> {
  const token = readSessionCookie(c, origins.publicUrl);
  if (token === undefined) return;
  const session = await sessions.findById(hashSecret(token));
  if (session !== undefined)
    await sessions.signOut(token, { name: session.name, requestId: c.get("requestId") });
}

function addSignOut(app: ServiceApp, options: AccessRoutesOptions): void {
  const route = createRoute({
    ...common,
    method: "delete",
    path: "/api/access/session",
    operationId: "signOutViewer",
    security: [],
    summary: "Sign out this browser: revoke the session of the cookie and forget the viewer link",
    responses: { 204: { description: "Signed out" } },
    errors: ["origin_refused", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    checkCookieOrigin(c, options.origins);
    await endSession(c, options);
    clearCookies(c, options.origins.publicUrl);
    return c.body(null, 204);
  });
}

function addLink(app: ServiceApp, { access, now, origins }: AccessRoutesOptions): void {
  const route = createRoute({
    ...common,
    method: "get",
    path: "/view/{token}",
    operationId: "openViewerLink",
    security: [],
    summary: "Open a viewer link: stores its token in an HttpOnly cookie and redirects to the dashboard",
    request: { params: z.object({ token: z.string().regex(/^view_[\w-]{20,100}$/u) }) },
    responses: {
      303: { description: "Redirect to the dashboard, with `?link=ended` if the link is invalid or expired" },
    },
  });
  app.openapi(route, (c) => {
    const { token } = c.req.valid("param");
    const found = access.useToken(hashSecret(token), "view");
    c.header("cache-control", "no-store");
    if (found === undefined) return c.redirect("/?link=ended", 303);
    const leftSeconds = Math.ceil(((found.expiresAt ?? Infinity) - now()) / 1_000);
    setViewerCookie(c, token, {
      publicUrl: origins.publicUrl,
      maxAgeSeconds: Math.min(LINK_SECONDS, leftSeconds),
    });
    return c.redirect("/", 303);
  });
}

/** Adds /api/access, its session, and /view/{token}. */
export function addVisitorRoutes(app: ServiceApp, options: AccessRoutesOptions): void {
  addRight(app, options);
  addSignIn(app, options);
  addSignOut(app, options);
  addLink(app, options);
}
