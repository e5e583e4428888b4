/** To a provider, and back from it: signed in, linked, or on to the page for who is new. */
import { AppError } from "../../../kit/errors.ts";
import { addressKey } from "../../../kit/limits/rate-limit.ts";
import type { LimitSource } from "../../../bus/shared-limit.ts";
import type { Log } from "../../../kit/observe/log.ts";
import { AuthError } from "../../base/errors.ts";
import { type Flow, type Flows, FlowError } from "../../upstream/flows.ts";
import type { Links } from "../../upstream/links.ts";
import type { Newcomers } from "../../upstream/newcomers.ts";
import type { Identity, UpstreamRecord } from "../../upstream/schema.ts";
import type { Upstreams } from "../../upstream/upstreams.ts";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import { toFaults } from "../form-faults.ts";
import type { Steps } from "../next-step.ts";
import { toStatus } from "../../../html/form-pages.ts";
import { type PageRoutes, toNext } from "../page.ts";
import type { Visit } from "../visit.tsx";
import { renderFlowFault, renderProblem } from "./problem.tsx";
import type { UpstreamCookies } from "./sealed-cookies.ts";

/** Ways that one address (IPv6 by /64) begins or ends in ten minutes; each asks the provider something. */
const WAYS = { limit: 120, windowMs: 10 * 60_000 };

interface Parts {
  readonly upstreams: Upstreams;
  readonly flows: Flows;
  readonly links: Links;
  readonly newcomers: Newcomers;
  readonly browserSignIn: BrowserSignIn;
  readonly steps: Steps;
  readonly upstreamCookies: UpstreamCookies;
  readonly limits: LimitSource;
  readonly log: Log;
}

/** The provider that the path names. Throws `not_found`. */
async function getUpstream({ c }: Visit, upstreams: Upstreams): Promise<UpstreamRecord> {
  const upstream = await upstreams.findEnabled(c.req.param("id") ?? "");
  if (upstream !== undefined) return upstream;
  throw new AppError(
    "not_found",
    "This identity provider is disabled or no longer exists. Choose another sign-in method",
  );
}

/** After the provider's callback: signs in, or continues where an account is created or verified. */
async function enter(
  visit: Visit,
  { identity, flow, upstream }: { identity: Identity; flow: Flow; upstream: UpstreamRecord },
  { newcomers, browserSignIn, steps, upstreamCookies }: Parts,
): Promise<Response> {
  const { c, t, caller } = visit;
  const { next } = flow;
  try {
    const came = await newcomers.come(identity, caller);
    if (came.kind !== "unknown") return await browserSignIn.complete(visit, came, next);
    upstreamCookies.comer.write(c, { identity, holdsAccount: came.holdsAccount, next });
    return c.redirect("/sign-in/identity", 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "email_unverified") {
      steps.write(c, { kind: "mailbox", email: "", next });
      return c.redirect("/verify?done=unproved", 303);
    }
    const isUnusable = error.code === "invalid_credentials";
    const [fault] = toFaults(error, visit);
    return renderProblem(
      visit,
      { provider: upstream, next, isLink: false },
      {
        title: t("upstream.closedTitle"),
        text: isUnusable ? t("upstream.closed") : (fault?.text ?? t("error.invalid")),
        status: toStatus(error),
      },
    );
  }
}

/** A signed-in user who wants to link this provider. */
async function link(
  visit: Visit,
  { identity, flow, upstream }: { identity: Identity; flow: Flow; upstream: UpstreamRecord },
  { links, upstreamCookies }: Parts,
): Promise<Response> {
  const { c, t, subject, caller } = visit;
  const props = { provider: upstream, next: flow.next, isLink: true };
  if (subject === undefined || subject.user.id !== flow.link?.userId)
    return renderFlowFault(visit, props, "expired");
  try {
    await links.link(subject, { identity, caller });
    return c.redirect("/account/security?done=upstreamLinked", 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "reauth_required") {
      // The verification at the provider has expired: require it again, and then link.
      upstreamCookies.comer.write(c, { identity, holdsAccount: true, next: flow.next });
      return c.redirect("/account/connect", 303);
    }
    const isTaken = error instanceof AuthError && error.code === "identity_taken";
    const [fault] = toFaults(error, visit);
    return renderProblem(visit, props, {
      title: t("upstream.notLinkedTitle", { provider: upstream.title }),
      text: isTaken ? t("upstream.taken", { provider: upstream.title }) : (fault?.text ?? t("error.invalid")),
      status: toStatus(error),
    });
  }
}

/** Adds /sign-in/with/{id} and its callback. */
export function addUpstreamCallback(pages: PageRoutes, parts: Parts): void {
  const { upstreams, flows, upstreamCookies, log } = parts;
  const ways = parts.limits.create("upstream-ways", WAYS);

  /** Throws `rate_limited`. */
  function count({ caller }: Visit): void {
    const { allowed, retryAfterSeconds } = ways.hit(addressKey(caller.clientAddress));
    if (allowed) return;
    throw new AppError("rate_limited", "Too many sign-ins from this address. Wait, then try again", {
      retryAfterSeconds,
    });
  }

  /** Shows the error to the person, and logs its details. */
  function fail(visit: Visit, error: unknown, props: Parameters<typeof renderFlowFault>[1]): Response {
    if (!(error instanceof FlowError)) throw error;
    const { fault, reason } = error;
    if (fault !== "denied")
      log.warn("A sign-in with an identity provider failed", { provider: props.provider.id, reason });
    return renderFlowFault(visit, props, fault);
  }

  pages.addEntry({
    path: "/sign-in/with/:id",
    show: async (visit) => {
      const upstream = await getUpstream(visit, upstreams);
      count(visit);
      const next = toNext(visit);
      try {
        const { flow, url } = await flows.begin(upstream, { next });
        upstreamCookies.flow.write(visit.c, flow);
        return visit.c.redirect(url, 302);
      } catch (error) {
        return fail(visit, error, { provider: upstream, next, isLink: false });
      }
    },
  });

  pages.addPublic({
    path: "/sign-in/with/:id/callback",
    show: async (visit) => {
      const { c } = visit;
      const upstream = await getUpstream(visit, upstreams);
      const parameters = new URL(c.req.url).searchParams;
      const flow = upstreamCookies.flow.read(c, parameters.get("state") ?? "");
      if (flow === undefined || !flows.isAnswerTo(flow, upstream.id, parameters))
        return renderFlowFault(
          visit,
          { provider: upstream, next: flow?.next ?? "/account", isLink: visit.subject !== undefined },
          "expired",
        );
      count(visit);
      upstreamCookies.flow.clear(c, flow);
      const isLink = flow.link !== undefined;
      try {
        const identity = await flows.finish(upstream, { flow, parameters });
        return await (isLink ? link : enter)(visit, { identity, flow, upstream }, parts);
      } catch (error) {
        return fail(visit, error, { provider: upstream, next: flow.next, isLink });
      }
    },
  });
}
