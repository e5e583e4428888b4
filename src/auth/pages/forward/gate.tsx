/** @jsxImportSource hono/jsx */
/** At a protected site: the way to the sign-in, and the refusal of who may not use it. */
import type { Context } from "hono";
import type { AppEnv } from "../../../kit/http/app.ts";
import { createHostCookie } from "../../../kit/http/cookies.ts";
import { wantsPage } from "../../../kit/http/routing.ts";
import { newCodeText } from "../../../kit/secrets/id.ts";
import type { SecretBox } from "../../../kit/secrets/secret-box.ts";
import { withReturn } from "../../../html/return-path.ts";
import { OWN_PATH } from "./asked.ts";
import type { NoteDenial } from "./denial.ts";
import { type Gateway, cookieOf, createOpening } from "./opening.ts";
import { toCaller } from "../../sessions/http/callers.ts";
import { BEGIN_SECONDS, type Forward, type Site, type Visitor } from "../../forward/forward.ts";
import type { Refusals } from "../../refusals/refusals.ts";
import { toRefusal } from "../refusal.tsx";
import { readNeedOf, withNeed } from "../step-up.ts";
import type { PageOptions, Visit, Visits } from "../visit.tsx";

/** Where the center sends browsers on with a code. */
export const ENTER_PATH = "/sign-in/application";
/** The longest that a session lives. */
const COOKIE_SECONDS = 30 * 86_400;

interface GateDeps {
  readonly forward: Forward;
  readonly noteDenial: NoteDenial;
  readonly refusals: Pick<Refusals, "note">;
  readonly visits: Visits;
  readonly box: SecretBox;
  /** Where people reach the center. */
  readonly issuer: string;
}

/** Whether a person opens a page, rather than a program or a page's script something. */
export function isNavigation(c: Context<AppEnv>): boolean {
  const mode = c.req.header("sec-fetch-mode");
  return mode === undefined ? wantsPage(c) : mode === "navigate";
}

/** Identifies the browser on its way to the sign-in and back. */
const markOf = (origin: string) => createHostCookie("trivet_begin", origin);

export type Gate = ReturnType<typeof createGate>;

export function createGate({ forward, refusals, noteDenial, visits, box, issuer }: GateDeps) {
  /** For forms on the site's pages, of browsers that do not say which site sent them. */
  function toFormToken(c: Context<AppEnv>, site: Site): string {
    return box.mac(cookieOf(site).read(c) ?? "", "form");
  }

  /** A page of the site. */
  async function show(
    c: Context<AppEnv>,
    { site, visitor }: Gateway,
    toPage: (visit: Visit) => PageOptions,
  ): Promise<Response> {
    const visit = await visits.openPlain(c, visitor?.subject);
    const host = { origin: site.origin, files: OWN_PATH };
    return visit.render({ ...toPage(visit), narrow: true, host });
  }

  return {
    ...createOpening({ forward, refusals }),
    markOf,
    /** Lets the browser be known at the site from now on. */
    remember: (c: Context<AppEnv>, site: Site, { subject }: Pick<Visitor, "subject">): void =>
      cookieOf(site).write(c, forward.toCookie(subject, site), COOKIE_SECONDS),
    forget: (c: Context<AppEnv>, site: Site): void => cookieOf(site).clear(c),
    toFormToken,
    show,
    /** Leads to the sign-in, or to a further proof, and after it back to what the person wants. */
    begin: (c: Context<AppEnv>, { asked: { origin, path }, visitor }: Gateway): Response => {
      const mark = markOf(origin).read(c) ?? newCodeText(20);
      markOf(origin).write(c, mark, BEGIN_SECONDS);
      const state = forward.states.make({ path, isStepUp: visitor !== undefined }, { origin, mark });
      c.header("cache-control", "no-store");
      const enter = `${ENTER_PATH}?to=${encodeURIComponent(origin)}&state=${state}`;
      // The proxy may see another address than the center: what is missing there has to be proved in any case.
      const back = withNeed(enter, readNeedOf(visitor?.missing));
      return c.redirect(issuer + withReturn("/sign-in", back), 302);
    },
    /** The page for who may not use the application. */
    refuse: async (
      c: Context<AppEnv>,
      gateway: Gateway,
      { subject, missing = "group" }: Visitor,
    ): Promise<Response> => {
      const { asked, site } = gateway;
      const { client, origin } = site;
      const form = {
        action: `${origin}${OWN_PATH}/sign-out`,
        token: toFormToken(c, site),
        fields: { rd: asked.path },
      };
      const reasonUrl = await noteDenial(client, { subject, missing }, toCaller(c));
      const { username } = subject.user;
      return show(c, gateway, (visit) =>
        toRefusal(visit, { client, username, form, reason: missing, reasonUrl }),
      );
    },
  };
}
