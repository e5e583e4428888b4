/** @jsxImportSource hono/jsx */
/** The center's own pages on the hosts of protected sites, below /.trivet: the way in, the return from the sign-in, the way out. */
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../../kit/http/app.ts";
import { readFormBody } from "../../../kit/http/request-body.ts";
import { isSameText } from "../../../kit/secrets/same-text.ts";
import { assertOwnForm } from "../../../html/form-origin.ts";
import { OWN_PATH, toWantedPath } from "./asked.ts";
import { isOwnStep } from "../../applications/may-use.ts";
import type { Begun, Forward } from "../../forward/forward.ts";
import { toCaller } from "../../sessions/http/callers.ts";
import type { ApplicationCodes } from "../../oidc/application-codes.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { TextKey } from "../texts.ts";
import { type Gate, isNavigation } from "./gate.tsx";
import type { Gateway } from "./opening.ts";

interface Parts {
  readonly gate: Gate;
  readonly forward: Forward;
  readonly applicationCodes: ApplicationCodes;
  readonly sessions: Sessions;
}

/** Where the center sends browsers back to. */
export function toCallback(origin: string): string {
  return `${origin}${OWN_PATH}/callback`;
}

/** A page that says one thing and leads on to a path of the site. */
function say(
  c: Context<AppEnv>,
  gateway: Gateway,
  parts: { gate: Gate; key: string; path: string; status: 200 | 400; button: TextKey },
): Promise<Response> {
  const { gate, key, path, status, button } = parts;
  return gate.show(c, gateway, ({ t }) => ({
    title: t.find(`forward.${key}Title`) ?? "",
    status,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{t.find(`forward.${key}Title`)}</h1>
          <p class="muted">{t.find(`forward.${key}`, { application: gateway.site.client.name })}</p>
        </div>
        <a class="button primary wide" href={gateway.site.origin + path}>
          {t(button)}
        </a>
      </>
    ),
  }));
}

/** For proxies that cannot pass on the center's own answer: nginx comes here after a 401 or 403. */
function addEntrance(app: ServiceApp, { gate }: Parts): void {
  app.get(`${OWN_PATH}/enter`, async (c) => {
    const gateway = await gate.open(c);
    const { asked, site, visitor } = gateway;
    if (!isNavigation(c)) {
      c.header("cache-control", "no-store");
      const isKnown = visitor !== undefined;
      return c.text(isKnown ? "Not allowed\n" : `Sign in at ${site.origin}/\n`, isKnown ? 403 : 401);
    }
    if (visitor === undefined) return gate.begin(c, gateway);
    const { missing } = visitor;
    if (missing !== undefined)
      return isOwnStep(missing) ? gate.begin(c, gateway) : gate.refuse(c, gateway, visitor);
    // Known here, and not where the proxy asked: leading back could go round for ever.
    return say(c, gateway, { gate, key: "proxy", path: asked.path, status: 400, button: "forward.continue" });
  });
}

/** Whether a browser that the site knows was sent to the sign-in all the same. */
function isUnseen({ visitor }: Gateway, { atMs, isStepUp }: Begun): boolean {
  return !isStepUp && visitor?.cookieAt !== undefined && visitor.cookieAt < atMs;
}

function addCallback(app: ServiceApp, { gate, forward, applicationCodes }: Parts): void {
  app.get(`${OWN_PATH}/callback`, async (c) => {
    const gateway = await gate.open(c);
    const { site } = gateway;
    const { origin, client } = site;
    const state = c.req.query("state") ?? "";
    const mark = gate.markOf(origin).read(c);
    const begun = mark === undefined ? undefined : forward.states.read(state, { origin, mark });
    if (begun === undefined)
      return say(c, gateway, { gate, key: "failed", path: "/", status: 400, button: "forward.again" });
    const path = toWantedPath(begun.path);
    if (isUnseen(gateway, begun))
      return say(c, gateway, { gate, key: "proxy", path, status: 400, button: "forward.continue" });
    const place = { clientId: client.id, redirectUri: toCallback(origin), binding: state };
    const subject = await applicationCodes.redeem(c.req.query("code") ?? "", place);
    if (subject === undefined && gateway.visitor === undefined)
      return say(c, gateway, { gate, key: "expired", path, status: 400, button: "forward.again" });
    if (subject !== undefined) gate.remember(c, site, { subject });
    c.header("cache-control", "no-store");
    return c.redirect(origin + path, 302);
  });
}

function addSignOut(app: ServiceApp, { gate, sessions }: Parts): void {
  const path = `${OWN_PATH}/sign-out`;
  app.get(path, async (c) => {
    const gateway = await gate.open(c);
    const { site, visitor } = gateway;
    if (visitor === undefined)
      return say(c, gateway, { gate, key: "out", path: "/", status: 200, button: "forward.again" });
    return gate.show(c, gateway, ({ t }) => ({
      title: t("forward.signOutTitle"),
      body: (
        <>
          <div class="stack is-tight">
            <h1>{t("forward.signOutTitle")}</h1>
            <p class="muted">{t("forward.signOut", { username: visitor.subject.user.username })}</p>
          </div>
          <form method="post" action={site.origin + path} class="stack">
            <input type="hidden" name="form" value={gate.toFormToken(c, site)} />
            <button class="button primary wide" type="submit">
              {t("forward.signOutTitle")}
            </button>
          </form>
        </>
      ),
    }));
  });

  app.post(path, async (c) => {
    const { form, rd } = await readFormBody(c);
    const gateway = await gate.open(c);
    const { site, visitor } = gateway;
    const hasToken = (): boolean => typeof form === "string" && isSameText(form, gate.toFormToken(c, site));
    assertOwnForm(c.req.raw, { publicUrl: site.origin, hasToken });
    if (visitor !== undefined) {
      const { user, session } = visitor.subject;
      const event = { kind: "sign-out", caller: toCaller(c) } as const;
      await sessions.end(user.id, { select: ({ id }) => id === session.id, event });
    }
    gate.forget(c, site);
    const wanted = typeof rd === "string" ? toWantedPath(rd) : undefined;
    // After a form a browser follows no redirect to the center: a page that goes on is a new beginning.
    if (wanted !== undefined) c.header("refresh", `0; url=${site.origin}${wanted}`);
    const gone = { ...gateway, visitor: undefined };
    return say(c, gone, { gate, key: "out", path: wanted ?? "/", status: 200, button: "forward.again" });
  });
}

/** Adds /.trivet/enter, /.trivet/callback and /.trivet/sign-out. */
export function addSitePages(app: ServiceApp, parts: Parts): void {
  addEntrance(app, parts);
  addCallback(app, parts);
  addSignOut(app, parts);
}
