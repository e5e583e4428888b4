/** @jsxImportSource hono/jsx */
/** Linking who came by a provider with the account that was proved since: only when its owner says so. */
import { Form, FormFaults } from "../../../html/form.tsx";
import type { Links } from "../../upstream/links.ts";
import type { Upstreams } from "../../upstream/upstreams.ts";
import type { PageRoutes } from "../page.ts";
import { CONNECT_PATH, describeComer } from "./comers.ts";
import type { UpstreamCookies } from "./sealed-cookies.ts";

interface Parts {
  readonly upstreams: Upstreams;
  readonly links: Links;
  readonly upstreamCookies: UpstreamCookies;
}

const SECURITY = "/account/security";

export function addConnectPage(pages: PageRoutes, { upstreams, links, upstreamCookies }: Parts): void {
  const cookie = upstreamCookies.comer;
  pages.addPersonal({
    path: CONNECT_PATH,
    show: async (visit, state) => {
      const { t, c, subject, formToken } = visit;
      const comer = cookie.read(c);
      const provider = comer && (await upstreams.findEnabled(comer.identity.upstreamId));
      if (comer === undefined || provider === undefined) return c.redirect(SECURITY, 303);
      const who = describeComer(comer.identity);
      const values = { provider: provider.title, username: subject.user.username, who };
      return visit.render({
        title: t("upstream.connectTitle", values),
        narrow: true,
        status: state.status,
        body: (
          <>
            <div class="stack is-tight">
              <h1>{t("upstream.connectTitle", values)}</h1>
              <p class="muted">{t("upstream.connectLead", values)}</p>
              {who === "" ? <></> : <p>{t("upstream.connectWho", values)}</p>}
            </div>
            <FormFaults title={t("form.faults")} faults={state.faults} />
            <Form action={CONNECT_PATH} token={formToken}>
              <button class="button primary wide" type="submit">
                {t("upstream.connect", values)}
              </button>
            </Form>
            <Form action={`${CONNECT_PATH}/cancel`} token={formToken}>
              <button class="button wide" type="submit">
                {t("upstream.notNow")}
              </button>
            </Form>
          </>
        ),
      });
    },
    actions: {
      "": {
        isOnce: true,
        submit: async ({ c, subject, caller }) => {
          const comer = cookie.read(c);
          if (comer === undefined) return c.redirect(`${SECURITY}?done=expired`, 303);
          await links.link(subject, { identity: comer.identity, caller });
          cookie.clear(c);
          const { next } = comer;
          return c.redirect(next === "/account" ? `${SECURITY}?done=upstreamLinked` : next, 303);
        },
      },
      "/cancel": {
        submit: async ({ c }) => {
          const next = cookie.read(c)?.next ?? "/account";
          cookie.clear(c);
          return c.redirect(next, 303);
        },
      },
    },
  });
}
