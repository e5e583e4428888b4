/** How a page and its forms are served: GET shows it, POST does something and leads on, a refusal shows it again. */
import type { Context } from "hono";
import type { z } from "zod";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { withQuery } from "../../kit/text/with-query.ts";
import { toAppError } from "../../kit/http/problem.ts";
import { toInvalidError } from "../../kit/text/validation.ts";
import { type FormState, openedForm } from "../../pages/faults.ts";
import { assertOwnForm } from "../../pages/form-origin.ts";
import { createSentTwice } from "../../pages/sent-twice.ts";
import { findReturnPath, toPagePath, withReturn } from "../../pages/return-path.ts";
import { type FaultFields, toFaults } from "./form-faults.ts";
import { type SignedInVisit, type Visit, type Visits, pageHeaders } from "./visit.tsx";

/** What a form brought: texts by name, and files. */
export interface SentForm {
  readonly values: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, File>>;
  /** Whose page it stood on; undefined where that is all the same. */
  readonly owner?: string | undefined;
}

/** Between a form's token and the account whose page it stands on. */
const OWNER_MARK = ".";

/** One of a page's forms. Its refusals are thrown as the logic throws them. */
export interface Action<V extends Visit> {
  readonly submit: (visit: V, form: SentForm) => Promise<Response>;
  /** Where words of refusals stand, other than usual: code or member → field. */
  readonly fields?: FaultFields;
  /** What it takes is used up by it: sent again at once, it gets the answer of the first time. */
  readonly isOnce?: boolean;
}

const opened = { ...openedForm, status: 200 } as const;

/** One for who is signed in. */
interface PersonalRoute extends PageRoute<SignedInVisit> {
  /** For others; without it they sign in first and come back. */
  readonly showSignedOut?: (visit: Visit) => Promise<Response>;
}

interface PageRoute<V extends Visit> {
  readonly path: string;
  /** Its address with what one of its forms kept of it, where that is more than the path. */
  readonly toAddress?: (values: SentForm["values"]) => string;
  readonly show: (
    visit: V,
    state: FormState & { readonly status: FormStatus },
  ) => Promise<Response> | Response;
  /** Who is not signed in any more, or not lately, is led to where that is mended. */
  readonly isPersonal?: boolean;
  /** Without a query it is the same for all who are not signed in. */
  readonly isConstant?: boolean;
  /** Of what it shows besides the settings: another text after each change. */
  readonly variant?: () => Promise<string>;
  /** By the end of their path: "" is the page's own. */
  readonly actions?: Readonly<Record<string, Action<V>>>;
}

/** Statuses that a form is shown with. */
export type FormStatus = 200 | 400 | 401 | 403 | 409 | 413 | 422 | 429 | 503;
const statuses: readonly FormStatus[] = [200, 400, 401, 403, 409, 413, 422, 429, 503];

/** The status of the page that says what was refused. */
export function toStatus(error: AppError): FormStatus {
  return statuses.find((status) => status === error.kind.http) ?? 422;
}

async function readForm(c: Context<AppEnv>): Promise<SentForm> {
  const values: Record<string, string> = {};
  const files: Record<string, File> = {};
  let body: Record<string, string | File>;
  try {
    body = await c.req.parseBody();
  } catch (cause) {
    throw new AppError("bad_request", "The form could not be read", { cause });
  }
  for (const [name, value] of Object.entries(body)) {
    // Browsers end lines with CR LF; what is stored has line feeds.
    if (typeof value === "string") values[name] = value.replaceAll("\r\n", "\n");
    else files[name] = value;
  }
  return { values, files };
}

/** What a form says, made into the input of a schema. Throws `invalid`. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw toInvalidError("json", parsed.error.issues);
  return parsed.data;
}

/** What a form brought, in the form of a schema. Throws `invalid`. */
export function parseForm<T>(schema: z.ZodType<T>, { values }: SentForm): T {
  return parseInput(schema, values);
}

export interface PagesDeps {
  readonly app: ServiceApp;
  readonly visits: Visits;
  readonly publicUrl: string | undefined;
  readonly now: () => number;
}

/** Where somebody goes on to: what the form or the address says, or the account. */
export function toNext(visit: Visit, form?: SentForm): string {
  return findReturnPath(form?.values["rd"] ?? visit.c.req.query("rd")) ?? "/account";
}

/** Where a page is found again that a form stood on. */
function toAddress<V extends Visit>({ path, toAddress: fill }: PageRoute<V>, form?: SentForm): string {
  return form === undefined || fill === undefined ? path : fill(form.values);
}

/** The page again with what was refused, or the way to where it would not be. */
async function refuse<V extends Visit>(
  visit: V,
  route: PageRoute<V>,
  parts: { action: string; form: SentForm; error: unknown },
): Promise<Response> {
  const { action, form, error } = parts;
  const known = toAppError(error);
  if (known.code === "internal") throw error;
  if (route.isPersonal === true) {
    if (known.code === "token_invalid")
      return visit.c.redirect(withReturn("/sign-in", toAddress(route, form)), 303);
    if (known.code === "reauth_required")
      return visit.c.redirect(withReturn("/account/confirm", toAddress(route, form)), 303);
  }
  if (known.retryAfterSeconds !== undefined)
    visit.c.header("retry-after", String(Math.ceil(known.retryAfterSeconds)));
  const faults = toFaults(known, { ...visit, fields: route.actions?.[action]?.fields });
  return route.show(visit, { action, values: form.values, faults, status: toStatus(known) });
}

/** Does what a form says; what is refused is shown on its page. */
async function take<V extends Visit>(
  visit: V,
  route: PageRoute<V>,
  { action, form, submit }: { action: string; form: SentForm; submit: Action<V>["submit"] },
): Promise<Response> {
  if (!visit.keepsCookies) {
    const faults = [{ text: visit.t("error.cookies") }];
    return route.show(visit, { action, values: form.values, faults, status: 400 });
  }
  // Signed out and in again as somebody else in another tab: what was typed was meant for the first account.
  if (form.owner !== undefined && form.owner !== visit.subject?.user.id)
    return visit.c.redirect(withQuery(toAddress(route, form), { done: "otherAccount" }), 303);
  try {
    return await submit(visit, form);
  } catch (error) {
    return refuse(visit, route, { action, form, error });
  }
}

/** Makes what adds pages to the application. */
export function createPageRoutes({ app, visits, publicUrl, now }: PagesDeps) {
  const answerOnce = createSentTwice(now);
  const send = app.createPageSender(pageHeaders);

  async function openForm(c: Context<AppEnv>): Promise<SentForm> {
    const form = await readForm(c);
    const [token, owner] = form.values["form"]?.split(OWNER_MARK) ?? [];
    assertOwnForm(c.req.raw, { publicUrl, hasToken: () => visits.hasFormToken(c, token) });
    return { ...form, owner };
  }

  function serve<V extends Visit>(
    route: PageRoute<V>,
    enter: (visit: Visit, form?: SentForm) => V | Response | Promise<Response>,
  ): void {
    const { path, show, isConstant = false, variant, actions = {} } = route;
    const showOpened = async (visit: Visit): Promise<Response> => {
      const entered = await enter(visit);
      return entered instanceof Response ? entered : show(entered, opened);
    };
    app.get(path, async (c) => {
      if (isConstant && !c.req.raw.url.includes("?")) {
        const page = await visits.showKept(c, path, { send, show: showOpened, variant });
        if (page !== undefined) return page;
      }
      const visit = await enter(await visits.open(c));
      if (visit instanceof Response) return visit;
      try {
        return await show(visit, opened);
      } catch (error) {
        const isAsked = error instanceof AppError && error.code === "reauth_required";
        if (isAsked) return c.redirect(withReturn("/account/confirm", path), 303);
        throw error;
      }
    });
    for (const [action, { submit, isOnce = false }] of Object.entries(actions)) {
      // Who loads a page again that showed faults gets the page.
      if (action !== "") app.get(path + action, (c) => c.redirect(path, 303));
      const answer = async (c: Context<AppEnv>, form: SentForm): Promise<Response> => {
        const visit = await enter(await visits.open(c), form);
        return visit instanceof Response ? visit : take(visit, route, { action, form, submit });
      };
      app.post(path + action, async (c) => {
        const form = await openForm(c);
        const key = isOnce ? visits.toFormKey(c, [path + action, form.values]) : undefined;
        return key === undefined ? answer(c, form) : answerOnce(key, () => answer(c, form));
      });
    }
  }

  return {
    /** For everybody. */
    addPublic: (route: PageRoute<Visit>): void => serve(route, (visit) => visit),
    /** For who is not signed in; whoever is goes on. */
    addEntry: (route: PageRoute<Visit>): void =>
      serve(route, (visit) => (visit.subject === undefined ? visit : visit.c.redirect(toNext(visit), 303))),
    /** For who is signed in. */
    addPersonal: ({ showSignedOut, ...route }: PersonalRoute): void =>
      serve({ ...route, isPersonal: true }, (visit, form) => {
        const { subject } = visit;
        if (subject !== undefined)
          return { ...visit, subject, formToken: visit.formToken + OWNER_MARK + subject.user.id };
        const isRead = visit.c.req.method === "GET" || visit.c.req.method === "HEAD";
        if (isRead && showSignedOut !== undefined) return showSignedOut(visit);
        const asked = isRead ? toPagePath(visit.c) : toAddress(route, form);
        return visit.c.redirect(withReturn("/sign-in", asked === "/account" ? undefined : asked), 303);
      }),
    /** A form without a page of its own. */
    addForm: (path: string, submit: (visit: Visit, form: SentForm) => Promise<Response>): void => {
      app.post(path, async (c) => {
        const form = await openForm(c);
        return submit(await visits.open(c), form);
      });
    },
  };
}

export type PageRoutes = ReturnType<typeof createPageRoutes>;
