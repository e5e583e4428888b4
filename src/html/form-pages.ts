/** How a page and its forms are served: GET shows it, POST does something and leads on, a refusal shows it again. */
import type { Context } from "hono";
import type { AppEnv, SendPage, ServiceApp } from "../kit/http/app.ts";
import type { AppError } from "../kit/errors.ts";
import { withQuery } from "../kit/text/with-query.ts";
import { toAppError } from "../kit/http/problem.ts";
import { type Fault, type FormState, openedForm } from "./faults.ts";
import { assertOwnForm } from "./form-origin.ts";
import type { FormVisitor } from "./form-tokens.ts";
import { findReturnPath, withReturn } from "./return-path.ts";
import { type SentForm, readForm } from "./sent-form.ts";
import { createSentTwice } from "./sent-twice.ts";

/** Separates a form's token from the account that its page belongs to. */
const OWNER_MARK = ".";

/** A token for forms that count for this account alone. */
export function toOwnToken(formToken: string, owner: string): string {
  return formToken + OWNER_MARK + owner;
}

/** Fields that show errors which name no field. */
export type FaultFields = Readonly<Record<string, string>>;

/** Statuses that a form is shown with. */
export type FormStatus = 200 | 400 | 401 | 403 | 409 | 413 | 422 | 429 | 503;
const statuses: readonly FormStatus[] = [200, 400, 401, 403, 409, 413, 422, 429, 503];

/** The status of the page that says what was refused. */
export function toStatus(error: AppError): FormStatus {
  return statuses.find((status) => status === error.kind.http) ?? 422;
}

/** A service's visits, as far as forms need them. */
export interface PageVisit extends Pick<FormVisitor, "keepsCookies"> {
  readonly c: Context<AppEnv>;
  /** The signed-in account, as used by forms on personal pages. */
  readonly owner?: string | undefined;
}

/** One of a page's forms. Its refusals are thrown as the logic throws them. */
export interface Action<V extends PageVisit> {
  readonly submit: (visit: V, form: SentForm) => Promise<Response>;
  /** Fields that show errors, where they differ from the default: code or member → field. */
  readonly fields?: FaultFields;
  /** The form uses something up: a double submission gets the first response. */
  readonly isOnce?: boolean;
}

export interface PageRoute<V extends PageVisit> {
  readonly path: string;
  /** Its address with what one of its forms kept of it, where that is more than the path. */
  readonly toAddress?: (values: SentForm["values"], c: Context<AppEnv>) => string;
  readonly show: (
    visit: V,
    state: FormState & { readonly status: FormStatus },
  ) => Promise<Response> | Response;
  /** Sends visitors without a session, or without a recent one, to sign in. */
  readonly isPersonal?: boolean;
  /** Without a query it is the same for all who are not signed in. */
  readonly isConstant?: boolean;
  /** Of what it shows besides the settings: another text after each change. */
  readonly variant?: () => Promise<string>;
  /** By the end of their path: "" is the page's own. */
  readonly actions?: Readonly<Record<string, Action<V>>>;
}

/** How a service opens visits and words refusals. */
export interface PageServerOptions<B extends PageVisit> {
  readonly app: ServiceApp;
  readonly publicUrl: string | undefined;
  readonly now: () => number;
  readonly headers: Readonly<Record<string, string>>;
  readonly open: (c: Context<AppEnv>) => Promise<B>;
  /** Answers with a cached page; undefined if it depends on the visitor. */
  readonly showKept: (
    c: Context<AppEnv>,
    path: string,
    parts: {
      send: SendPage;
      show: (visit: B) => Promise<Response> | Response;
      variant?: (() => Promise<string>) | undefined;
    },
  ) => Promise<Response | undefined>;
  readonly hasFormToken: (c: Context<AppEnv>, token: string | undefined) => boolean;
  readonly toFormKey: (c: Context<AppEnv>, sent: unknown) => string | undefined;
  readonly toFaults: (error: AppError, visit: B, fields: FaultFields | undefined) => readonly Fault[];
  /** The text for a browser that rejects cookies. */
  readonly sayCookies: (visit: B) => string;
  /** Where a refusal leads instead of to the page again. */
  readonly lead?: (
    error: AppError,
    at: { readonly visit: B; readonly isPersonal: boolean; readonly address: string },
  ) => Response | undefined;
}

type Enter<B extends PageVisit, V extends B> = (
  visit: B,
  form?: SentForm,
) => V | Response | Promise<V | Response>;

const opened = { ...openedForm, status: 200 } as const;

/** The URL of the page with the form, and where its sender continues from there. */
export function toAddress<V extends PageVisit>(
  { path, toAddress: fill }: Pick<PageRoute<V>, "path" | "toAddress">,
  c: Context<AppEnv>,
  form?: SentForm,
): string {
  if (form === undefined) return path;
  const address = fill === undefined ? path : fill(form.values, c);
  return withReturn(address, findReturnPath(form.values["rd"]));
}

/** The same for a request: with its path parameters, and where its sender continues. */
function toFormPage<V extends PageVisit>(
  route: PageRoute<V>,
  c: Context<AppEnv>,
  { action, form }: { readonly action: string; readonly form: SentForm },
): string {
  const path = c.req.path.slice(0, c.req.path.length - action.length);
  const address = route.toAddress === undefined ? path : route.toAddress(form.values, c);
  return withReturn(address, findReturnPath(form.values["rd"]));
}

/** How pages answer: opened, and with what their forms brought. */
function createAnswers<B extends PageVisit>(options: PageServerOptions<B>) {
  const { lead } = options;

  /** The page again with what was refused, or the way to where it would not be. */
  async function refuse<V extends B>(
    visit: V,
    route: PageRoute<V>,
    { action, form, error }: { action: string; form: SentForm; error: unknown },
  ): Promise<Response> {
    const known = toAppError(error);
    if (known.code === "internal") throw error;
    visit.c.set("refusal", known.code);
    const address = toAddress(route, visit.c, form);
    const led = lead?.(known, { visit, isPersonal: route.isPersonal === true, address });
    if (led !== undefined) return led;
    if (known.retryAfterSeconds !== undefined)
      visit.c.header("retry-after", String(Math.ceil(known.retryAfterSeconds)));
    const faults = options.toFaults(known, visit, route.actions?.[action]?.fields);
    return route.show(visit, { action, values: form.values, faults, status: toStatus(known) });
  }

  /** Does what a form says; what is refused is shown on its page. */
  async function take<V extends B>(
    visit: V,
    route: PageRoute<V>,
    { action, form, submit }: { action: string; form: SentForm; submit: Action<V>["submit"] },
  ): Promise<Response> {
    visit.c.set("formPage", toFormPage(route, visit.c, { action, form }));
    if (!visit.keepsCookies) {
      const faults = [{ text: options.sayCookies(visit) }];
      return route.show(visit, { action, values: form.values, faults, status: 400 });
    }
    // Someone else signed in in another tab: the input was meant for the first account.
    if (form.owner !== undefined && form.owner !== visit.owner)
      return visit.c.redirect(withQuery(toAddress(route, visit.c, form), { done: "otherAccount" }), 303);
    try {
      return await submit(visit, form);
    } catch (error) {
      return refuse(visit, route, { action, form, error });
    }
  }

  async function show<V extends B>(visit: V, route: PageRoute<V>): Promise<Response> {
    try {
      return await route.show(visit, opened);
    } catch (error) {
      const at = { visit, isPersonal: route.isPersonal === true, address: route.path };
      const led = lead?.(toAppError(error), at);
      if (led === undefined) throw error;
      return led;
    }
  }

  return { show, take };
}

/** Creates what serves pages with their forms. */
export function createPageServer<B extends PageVisit>(options: PageServerOptions<B>) {
  const { app, publicUrl, now, headers, open, showKept } = options;
  const { show, take } = createAnswers(options);
  const answerOnce = createSentTwice(now);
  const send = app.createPageSender(headers);

  async function openForm(c: Context<AppEnv>): Promise<SentForm> {
    const form = await readForm(c);
    const [token, owner] = form.values["form"]?.split(OWNER_MARK) ?? [];
    assertOwnForm(c.req.raw, { publicUrl, hasToken: () => options.hasFormToken(c, token) });
    return { ...form, owner };
  }

  /** Handlers of page requests. */
  function createOpener<V extends B>(route: PageRoute<V>, enter: Enter<B, V>) {
    const { path, isConstant = false, variant } = route;
    const showOpened = async (visit: B): Promise<Response> => {
      const entered = await enter(visit);
      return entered instanceof Response ? entered : show(entered, route);
    };
    return async (c: Context<AppEnv>): Promise<Response> => {
      if (isConstant && !c.req.raw.url.includes("?")) {
        const page = await showKept(c, path, { send, show: showOpened, variant });
        if (page !== undefined) return page;
      }
      return showOpened(await open(c));
    };
  }

  return {
    createOpener,
    /** Adds a page and its forms; `enter` says who may come, or where others go. */
    serve: <V extends B>(route: PageRoute<V>, enter: Enter<B, V>): void => {
      const { path, actions = {} } = route;
      app.get(path, createOpener(route, enter));
      for (const [action, { submit, isOnce = false }] of Object.entries(actions)) {
        // A reload of a page with errors shows the page.
        if (action !== "")
          app.get(path + action, (c) => c.redirect(c.req.path.slice(0, -action.length), 303));
        const answer = async (c: Context<AppEnv>, form: SentForm): Promise<Response> => {
          const visit = await enter(await open(c), form);
          return visit instanceof Response ? visit : take(visit, route, { action, form, submit });
        };
        app.post(path + action, async (c) => {
          const form = await openForm(c);
          const key = isOnce ? options.toFormKey(c, [c.req.path, form.values]) : undefined;
          return key === undefined ? answer(c, form) : answerOnce(key, () => answer(c, form));
        });
      }
    },
    /** Adds a form without a page. */
    addForm: (path: string, submit: (visit: B, form: SentForm) => Promise<Response>): void => {
      app.post(path, async (c) => {
        const form = await openForm(c);
        return submit(await open(c), form);
      });
    },
  };
}
