/** Signing in at the auth center: the redirect, the callback, and back-channel logout. */
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { readLogoutToken } from "../../kit/http/request-body.ts";
import type { AccountCenter, Arrived } from "../../kit/outbound/account-center.ts";
import type { OriginRules } from "../../kit/outbound/origin.ts";
import { setSessionCookie } from "../edge/cookies.ts";
import type { Access } from "./access.ts";
import { toAccount } from "./center-sessions.ts";
import type { AdminSessions } from "./sessions.ts";

export interface CenterRoutesOptions {
  readonly center: AccountCenter;
  readonly access: Pick<Access, "rightOfAccount" | "scopesOfAccount">;
  readonly sessions: Pick<AdminSessions, "open" | "review">;
  readonly now: () => number;
  readonly origins: OriginRules;
}

/** Why a user who signed in at the center has no access: the page shows it. */
function toRefusal(path: string, why: "refused" | "second-factor"): string {
  return `${path}${path.includes("?") ? "&" : "?"}sign-in=${why}`;
}

async function enter(
  c: Context<AppEnv>,
  { access, sessions, now, origins }: CenterRoutesOptions,
  { person, tokens, returnTo }: Arrived,
): Promise<string> {
  const account = toAccount(person);
  // An impersonating administrator has no rights of the account's owner here.
  const right = person.impersonatedBy === undefined ? access.rightOfAccount(account) : "nothing";
  const wantsConsole = returnTo.startsWith("/admin");
  const administers = right === "administer" || access.scopesOfAccount(account).size > 0;
  if (right === "nothing" || (wantsConsole && !administers))
    return toRefusal(returnTo, person.administers === false ? "second-factor" : "refused");
  const caller = { clientAddress: c.get("clientAddress"), requestId: c.get("requestId") };
  const session = await sessions.open(account, { ...caller, right, center: tokens });
  const maxAgeSeconds = Math.ceil((session.expiresAt - now()) / 1_000);
  setSessionCookie(c, session.token, { publicUrl: origins.publicUrl, maxAgeSeconds, sameSite: "Lax" });
  return returnTo;
}

/** Adds /sign-in, /callback and /backchannel-logout. */
export function addCenterRoutes(app: ServiceApp, options: CenterRoutesOptions): void {
  const { center, sessions } = options;
  app.get("/sign-in", (c) =>
    center.begin(c.req.raw, c.req.query("rd"), { isFresh: c.req.query("fresh") === "1" }),
  );
  app.get("/callback", async (c) => {
    const arrived = await center.receive(c.req.raw);
    c.header("cache-control", "no-store");
    return arrived instanceof Response ? arrived : c.redirect(await enter(c, options, arrived), 303);
  });
  app.post("/backchannel-logout", async (c) => {
    await sessions.review(await center.readLogout(await readLogoutToken(c)));
    c.header("cache-control", "no-store");
    return c.body(null, 200);
  });
}
