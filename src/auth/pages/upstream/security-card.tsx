/** @jsxImportSource hono/jsx */
/** The other providers that open an account: listed, added and removed on its security page. */
import { z } from "zod";
import type { Clock } from "../../../kit/time/clock.ts";
import { Form } from "../../../html/form.tsx";
import { assertRecent } from "../../sessions/subject.ts";
import { type Flows, FlowError } from "../../upstream/flows.ts";
import type { Links, NamedLink } from "../../upstream/links.ts";
import type { UpstreamRecord } from "../../upstream/schema.ts";
import type { Upstreams } from "../../upstream/upstreams.ts";
import { leave } from "../forward/enter.tsx";
import type { Action } from "../../../html/form-pages.ts";
import { parseForm } from "../../../html/sent-form.ts";
import type { SignedInVisit } from "../visit.tsx";
import type { UpstreamCookies } from "./sealed-cookies.ts";

const PATH = "/account/security";
const idSchema = z.object({ id: z.string().max(100) });

export interface LinkParts {
  readonly upstreams: Upstreams;
  readonly flows: Flows;
  readonly links: Links;
  readonly upstreamCookies: UpstreamCookies;
  readonly expiry: Clock;
}

/** Data of the card about an account. */
export interface LinkedProviders {
  readonly links: readonly NamedLink[];
  /** Those that it is not linked with. */
  readonly others: readonly UpstreamRecord[];
}

export async function readLinked(parts: LinkParts, userId: string): Promise<LinkedProviders> {
  const [links, all] = await Promise.all([parts.links.list(userId), parts.upstreams.listEnabled()]);
  const known = new Set(links.map(({ upstreamId }) => upstreamId));
  return { links, others: all.filter(({ id }) => !known.has(id)) };
}

/** The card; nothing where no provider is set up and none is linked. */
export function LinkedCard({
  visit,
  linked: { links, others },
}: {
  readonly visit: SignedInVisit;
  readonly linked: LinkedProviders;
}) {
  const { t, formToken, time } = visit;
  if (links.length + others.length === 0) return <></>;
  return (
    <section class="card stack">
      <div class="stack is-tight">
        <h2>{t("upstream.cardTitle")}</h2>
        <p class="small muted">{t("upstream.cardLead")}</p>
      </div>
      {links.map(({ id, title, upstreamId, email, username, createdAt }) => (
        <div class="row">
          <span class="stack is-tight">
            <strong>{title === "" ? upstreamId : title}</strong>
            <span class="small muted">
              {[email ?? username, t("upstream.since", { day: time(createdAt, "day") })]
                .filter((text) => text !== undefined)
                .join(" · ")}
            </span>
          </span>
          <span class="push">
            <Form action={`${PATH}/unlink`} token={formToken}>
              <input type="hidden" name="id" value={id} />
              <button class="button" type="submit" aria-label={t("upstream.unlinkOne", { provider: title })}>
                {t("upstream.unlink")}
              </button>
            </Form>
          </span>
        </div>
      ))}
      {others.map(({ id, title }) => (
        <Form action={`${PATH}/link`} token={formToken}>
          <input type="hidden" name="id" value={id} />
          <button class="button" type="submit">
            {t("upstream.connect", { provider: title })}
          </button>
        </Form>
      ))}
    </section>
  );
}

/** The card's two forms. */
export function createLinkActions(parts: LinkParts): Readonly<Record<string, Action<SignedInVisit>>> {
  const { upstreams, flows, links, upstreamCookies, expiry } = parts;
  return {
    "/link": {
      submit: async (visit, form) => {
        const { c, subject } = visit;
        assertRecent(subject, expiry.now());
        const upstream = await upstreams.findEnabled(parseForm(idSchema, form).id);
        if (upstream === undefined) return c.redirect(PATH, 303);
        const link = { userId: subject.user.id, sessionId: subject.session.id };
        try {
          const { flow, url } = await flows.begin(upstream, { next: PATH, link });
          upstreamCookies.flow.write(c, flow);
          return await leave(visit, { name: upstream.title }, url);
        } catch (error) {
          if (!(error instanceof FlowError)) throw error;
          return c.redirect(`${PATH}?done=upstreamAway`, 303);
        }
      },
    },
    "/unlink": {
      isOnce: true,
      submit: async ({ c, subject, caller }, form) => {
        await links.unlink(subject, { id: parseForm(idSchema, form).id, caller });
        return c.redirect(`${PATH}?done=upstreamUnlinked`, 303);
      },
    },
  };
}
