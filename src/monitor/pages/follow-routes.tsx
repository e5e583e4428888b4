/** @jsxImportSource hono/jsx */
/** The addresses at which people begin to follow a page, say yes, change it and end it. */
import type { Context } from "hono";
import { AppError } from "../../kit/errors.ts";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { toAppError } from "../../kit/http/problem.ts";
import { findLanguage } from "../../kit/text/languages.ts";
import { type Fault, type FormState, openedForm } from "../../html/faults.ts";
import { assertOwnForm } from "../../html/form-origin.ts";
import { type FormTokens, createFormTokens } from "../../html/form-tokens.ts";
import { type FormStatus, toStatus } from "../../html/form-pages.ts";
import { type SentForm, readForm } from "../../html/sent-form.ts";
import type { PublicAddress } from "../base/public-url.ts";
import type { Board, ShownPage } from "../status/board.ts";
import type { Followers } from "../status/followers/followers.ts";
import type { Subscription } from "../status/followers/subscribers.ts";
import { type SubscriptionWay, subscriptionRequestSchema } from "../status/followers/schema.ts";
import type { Texts } from "./shown/texts.ts";
import type { Visits } from "./visit.tsx";
import { FollowPage, PART_PREFIX } from "./follow/follow-page.tsx";
import { SubscriptionPage } from "./follow/subscription-page.tsx";

export interface FollowPagesDeps {
  readonly followers: Pick<Followers, "asking" | "subscriptions" | "findFault" | "mac">;
  readonly address: PublicAddress;
  readonly visits: Visits;
  readonly status: { readonly board: Pick<Board, "findById"> };
  readonly getPage: (c: Context<AppEnv>) => ShownPage;
  /** An answer for those who may not look at a page. */
  readonly pass: (c: Context<AppEnv>, page: ShownPage) => Promise<Response | undefined>;
}

const forms = [
  { way: "mail", path: "/status/:slug/subscribe", field: "address" },
  { way: "webhook", path: "/status/:slug/subscribe/webhook", field: "url" },
] as const;

function readParts({ values }: SentForm): string[] {
  return Object.keys(values)
    .filter((name) => name.startsWith(PART_PREFIX))
    .map((name) => name.slice(PART_PREFIX.length));
}

/** The error at its field, if it has one. */
function toFault(
  error: AppError,
  { way, field, t }: { way: SubscriptionWay; field: string; t: Texts },
): Fault {
  switch (error.code) {
    case "invalid":
      return { field, text: t(`follow.fault.${way}`) };
    case "rate_limited":
      return { text: t("follow.fault.busy") };
    case "conflict":
      return { text: t("follow.fault.full") };
    default:
      return { text: t("follow.fault.unavailable") };
  }
}

function addFollowForms(
  app: ServiceApp,
  deps: FollowPagesDeps & { readonly openTokens: () => FormTokens },
): void {
  const { followers, address, visits, getPage, pass, openTokens } = deps;

  async function show(
    c: Context<AppEnv>,
    page: ShownPage,
    shownState: { state: (t: Texts) => FormState; status?: FormStatus },
  ): Promise<Response> {
    const { formToken: token } = openTokens().meet(c);
    const isOpen = async (way: SubscriptionWay): Promise<boolean> =>
      (await followers.findFault(page.record, way)) === undefined;
    const ways = { mail: await isOpen("mail"), webhook: await isOpen("webhook") };
    const done = forms.find(({ way }) => way === c.req.query("done"))?.way;
    return visits.show(c, { page, path: "/subscribe", status: shownState.status }, (shown) => ({
      title: shown.t("follow.title"),
      body: (
        <FollowPage shown={shown} token={token} ways={ways} done={done} state={shownState.state(shown.t)} />
      ),
    }));
  }

  app.get("/status/:slug/subscribe", async (c) => {
    const page = getPage(c);
    return (await pass(c, page)) ?? show(c, page, { state: () => openedForm });
  });
  // A reload of a page with errors shows the page.
  app.get("/status/:slug/subscribe/webhook", (c) => c.redirect("../subscribe", 303));

  for (const { way, path, field } of forms) {
    app.post(path, async (c) => {
      const page = getPage(c);
      const refused = await pass(c, page);
      if (refused !== undefined) return refused;
      const form = await readForm(c);
      const hasToken = (): boolean => openTokens().has(c, form.values["form"]);
      assertOwnForm(c.req.raw, { publicUrl: address.publicUrl, hasToken });
      try {
        const language = visits.readLanguage(c, page);
        const given = { way, address: form.values[field] ?? "", language, componentIds: readParts(form) };
        const request = subscriptionRequestSchema.safeParse(given);
        if (!request.success) throw new AppError("invalid", "The email address or URL is invalid");
        await followers.asking.ask(page.record.id, {
          request: request.data,
          clientAddress: c.get("clientAddress"),
        });
      } catch (error) {
        const known = toAppError(error);
        if (known.code === "internal") throw error;
        return show(c, page, {
          status: toStatus(known),
          state: (t) => ({ action: way, values: form.values, faults: [toFault(known, { way, field, t })] }),
        });
      }
      // On its own host, the page is at the root.
      return c.redirect(`${way === "mail" ? "" : "../"}subscribe?done=${way}`, 303);
    });
  }
}

/** Adds the pages behind the links of mails; the slug in them may be an old one. */
function addSubscriptionPages(
  app: ServiceApp,
  { followers, visits, status, getPage }: FollowPagesDeps,
): void {
  const { subscriptions } = followers;
  const path = "/status/:slug/subscription/:id/:token";
  const toName = (c: Context<AppEnv>) => ({ id: c.req.param("id") ?? "", token: c.req.param("token") ?? "" });

  async function show(
    c: Context<AppEnv>,
    subscription: Subscription,
    pageId = subscription.page?.id,
  ): Promise<Response> {
    const page = (pageId === undefined ? undefined : status.board.findById(pageId)) ?? getPage(c);
    const { id, token } = toName(c);
    c.header("referrer-policy", "no-referrer");
    return visits.show(c, { page, path: "/subscribe" }, (shown) => ({
      title: shown.t("follow.title"),
      body: (
        <SubscriptionPage
          shown={shown}
          subscription={subscription}
          action={`${shown.base}/subscription/${id}/${token}`}
          isSaved={c.req.query("done") === "saved"}
        />
      ),
    }));
  }

  app.get(path, async (c) => show(c, await subscriptions.find(toName(c))));
  app.post(path, async (c) => {
    const form = await readForm(c);
    const name = toName(c);
    switch (form.values["do"]) {
      case "confirm":
        await subscriptions.confirm(name);
        break;
      case "save": {
        const language = findLanguage(form.values["language"]) ?? "en";
        await subscriptions.change(name, { componentIds: readParts(form), language });
        return c.redirect(`${name.token}?done=saved`, 303);
      }
      case "end":
        await subscriptions.end(name);
        break;
      case undefined:
      default:
        throw new AppError("bad_request", "The form says nothing that can be done");
    }
    return c.redirect(name.token, 303);
  });
  // One click in a mail program (RFC 8058): it sends no cookie, and gets no page of a form.
  app.post(`${path}/unsubscribe`, async (c) => {
    const { page } = await subscriptions.find(toName(c));
    return show(c, await subscriptions.end(toName(c)), page?.id);
  });
  app.get(`${path}/unsubscribe`, (c) => c.redirect(`../${toName(c).token}`, 303));
}

export function addFollowPages(app: ServiceApp, deps: FollowPagesDeps): void {
  const { address, followers } = deps;
  // The name of the cookie follows the address, which settings can change.
  const openTokens = (): FormTokens => createFormTokens({ mac: followers.mac }, address.publicUrl);
  addFollowForms(app, { ...deps, openTokens });
  addSubscriptionPages(app, deps);
}
