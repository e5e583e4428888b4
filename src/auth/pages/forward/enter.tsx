/** @jsxImportSource hono/jsx */
/** From the sign-in on to a protected site: with a code for it, or the refusal of who may not use it. */
import { AppError } from "../../../kit/errors.ts";
import { findMissingStep, isOwnStep } from "../../applications/may-use.ts";
import type { ClientRecord } from "../../applications/schema.ts";
import type { Forward } from "../../forward/forward.ts";
import type { ApplicationCodes } from "../../oidc/application-codes.ts";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import type { PageRoutes } from "../page.ts";
import { withQuery } from "../../../kit/text/with-query.ts";
import { withReturn } from "../../../html/return-path.ts";
import type { Visit } from "../visit.tsx";
import { toRefusal } from "../refusal.tsx";
import { type StepUp, readNeed, readNeedOf, withNeed } from "../step-up.ts";
import type { NoteDenial } from "./denial.ts";
import { ENTER_PATH } from "./gate.tsx";
import { toCallback } from "./site-pages.tsx";

interface Parts {
  readonly forward: Forward;
  readonly applicationCodes: ApplicationCodes;
  readonly browserSignIn: BrowserSignIn;
  readonly stepUp: StepUp;
  readonly noteDenial: NoteDenial;
  readonly expiry: { now(): number };
}

/** Leads on at once. After a form a browser follows no redirect to another site: there a page goes on. */
export function leave(
  { c, t, render }: Visit,
  { name }: Pick<ClientRecord, "name">,
  url: string,
): Response | Promise<Response> {
  c.header("cache-control", "no-store");
  const fetchSite = c.req.header("sec-fetch-site");
  if (fetchSite !== undefined && fetchSite !== "same-origin") return c.redirect(url, 302);
  c.header("refresh", `0; url=${url}`);
  const title = t("forward.leavingTitle", { application: name });
  return render({
    title,
    narrow: true,
    body: (
      <>
        <h1>{title}</h1>
        <a class="button primary wide" href={url}>
          {t("forward.continue")}
        </a>
      </>
    ),
  });
}

/** Adds /sign-in/application. */
export function addEnterPage(
  pages: PageRoutes,
  { forward, applicationCodes, browserSignIn, stepUp, noteDenial, expiry }: Parts,
): void {
  pages.addPersonal({
    path: ENTER_PATH,
    toAddress: ({ to = "", state = "", need }) =>
      withNeed(withQuery(ENTER_PATH, { to, state }), readNeedOf(need)),
    show: async (visit) => {
      const { c, subject, formToken } = visit;
      const { to = "", state = "" } = c.req.query();
      const site = await forward.find(to);
      if (site === undefined) throw new AppError("not_found", "No application has this origin");
      const { origin, client } = site;
      const { user, session, rules = {} } = subject;
      const address = visit.caller.clientAddress;
      const need = readNeed(visit);
      const asked = need === undefined ? {} : { asked: need };
      const who = { user, session, rules, address, nowMs: expiry.now(), ...asked };
      const missing = findMissingStep(client, who);
      if (missing !== undefined) {
        const page = isOwnStep(missing) ? await stepUp.findPageFor(subject, missing) : undefined;
        const back = withNeed(withQuery(ENTER_PATH, { to, state }), need);
        if (page !== undefined) return c.redirect(withReturn(page, back), 303);
        const form = { action: `${ENTER_PATH}/another`, token: formToken, fields: { to, state } };
        const reasonUrl = await noteDenial(client, { subject, missing }, visit.caller);
        const { username } = user;
        return visit.render(toRefusal(visit, { client, username, form, reason: missing, reasonUrl }));
      }
      const redirectUri = toCallback(origin);
      const code = await applicationCodes.issue(subject, {
        clientId: client.id,
        redirectUri,
        binding: state,
      });
      return leave(visit, client, `${redirectUri}?${new URLSearchParams({ code, state }).toString()}`);
    },
    actions: {
      "/another": {
        submit: async (visit, { values: { to = "", state = "" } }) => {
          await browserSignIn.end(visit);
          const back = `${ENTER_PATH}?${new URLSearchParams({ to, state }).toString()}`;
          return visit.c.redirect(withReturn("/sign-in", back), 303);
        },
      },
    },
  });
}
