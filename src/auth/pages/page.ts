/** Pages of the account center: public, for visitors without a session, and for signed-in users. */
import type { ServiceApp } from "../../kit/http/app.ts";
import type { FormState } from "../../html/faults.ts";
import {
  type FormStatus,
  type PageRoute,
  createPageServer,
  toAddress,
  toOwnToken,
} from "../../html/form-pages.ts";
import { findReturnPath, toPagePath, withReturn } from "../../html/return-path.ts";
import type { SentForm } from "../../html/sent-form.ts";
import { toFaults } from "./form-faults.ts";
import { CONFIRM_PATH, ENROLMENT_PATH } from "./step-up.ts";
import { type SignedInVisit, type Visit, type Visits, pageHeaders } from "./visit.tsx";

/** A form with what is wrong with it. */
export type ShownState = FormState & { readonly status: FormStatus };

/** One for who is signed in. */
interface PersonalRoute extends PageRoute<SignedInVisit> {
  /** For others; without it they sign in first and come back. */
  readonly showSignedOut?: (visit: Visit) => Promise<Response>;
  /** Open also for who sets up a second factor before anything else opens: the page with all its forms, or these paths. */
  readonly mayEnrol?: true | readonly string[];
}

export interface PagesDeps {
  readonly app: ServiceApp;
  readonly visits: Visits;
  readonly publicUrl: string | undefined;
  readonly now: () => number;
}

const HOME = "/account";

/** Where the form or the URL says to continue. */
export function findNext({ c }: Visit, form?: Pick<SentForm, "values">): string | undefined {
  return findReturnPath(form?.values["rd"] ?? c.req.query("rd"));
}

/** The same, or the account. */
export function toNext(visit: Visit, form?: Pick<SentForm, "values">): string {
  return findNext(visit, form) ?? HOME;
}

/** A page of the sign-in that continues at `next`; the account is the default. */
export function toEntry(path: string, next: string | undefined): string {
  return withReturn(path, next === HOME ? undefined : next);
}

/** Creates what adds pages to the application. */
export function createPageRoutes({ app, visits, publicUrl, now }: PagesDeps) {
  const { serve, addForm } = createPageServer<Visit>({
    app,
    publicUrl,
    now,
    headers: pageHeaders,
    open: visits.open,
    showKept: visits.showKept,
    hasFormToken: visits.hasFormToken,
    toFormKey: visits.toFormKey,
    toFaults: (error, visit, fields) => toFaults(error, { ...visit, fields }),
    sayCookies: ({ t }) => t("error.cookies"),
    lead: ({ code }, { visit: { c }, isPersonal, address }) => {
      if (code === "token_invalid" && isPersonal) return c.redirect(withReturn("/sign-in", address), 303);
      if (code === "reauth_required" && (isPersonal || c.req.method === "GET"))
        return c.redirect(withReturn(CONFIRM_PATH, address), 303);
      return undefined;
    },
  });
  return {
    /** A public page. */
    addPublic: (route: PageRoute<Visit>): void => serve(route, (visit) => visit),
    /** For visitors who are not signed in; signed-in users are redirected. */
    addEntry: (route: PageRoute<Visit>): void =>
      serve(route, (visit, form) => {
        if (visit.enrolling !== undefined)
          return visit.c.redirect(toEntry(ENROLMENT_PATH, findNext(visit, form)), 303);
        return visit.subject === undefined ? visit : visit.c.redirect(toNext(visit, form), 303);
      }),
    /** For who is signed in. */
    addPersonal: ({ showSignedOut, mayEnrol = [], ...route }: PersonalRoute): void =>
      serve<SignedInVisit>({ ...route, isPersonal: true }, (visit, form) => {
        const { c, enrolling, formToken } = visit;
        const isOpen = mayEnrol === true || mayEnrol.includes(c.req.path);
        const subject = visit.subject ?? (isOpen ? enrolling : undefined);
        if (subject !== undefined)
          return { ...visit, subject, formToken: toOwnToken(formToken, subject.user.id) };
        const isRead = c.req.method === "GET" || c.req.method === "HEAD";
        if (isRead && showSignedOut !== undefined) return showSignedOut(visit);
        const asked = isRead ? toPagePath(c) : toAddress(route, c, form);
        return c.redirect(toEntry(enrolling === undefined ? "/sign-in" : ENROLMENT_PATH, asked), 303);
      }),
    addForm,
  };
}

export type PageRoutes = ReturnType<typeof createPageRoutes>;
