/** Pages of the storefront with their forms. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { type PageRoute, createPageServer } from "../../pages/page-routes.ts";
import { toFaults } from "./form-faults.ts";
import { type Visit, type Visits, pageHeaders } from "./visit.tsx";

export interface PagesDeps {
  readonly app: ServiceApp;
  readonly visits: Visits;
  readonly publicUrl: string;
  readonly now: () => number;
}

/** Makes what adds pages to the application. */
export function createPageRoutes({ app, visits, publicUrl, now }: PagesDeps) {
  const { serve, addForm, createOpener } = createPageServer<Visit>({
    ...{ app, now, headers: pageHeaders },
    publicUrl: publicUrl === "" ? undefined : publicUrl,
    open: visits.open,
    showKept: () => Promise.resolve(undefined),
    hasFormToken: visits.hasFormToken,
    toFormKey: visits.toFormKey,
    toFaults: (error, { t }, fields) => toFaults(error, { t, fields }),
    sayCookies: ({ t }) => t("error.cookies"),
  });
  return {
    /** Adds a page for everybody. */
    addPublic: (route: PageRoute<Visit>): void => serve(route, (visit) => visit),
    /** What answers who opens a page, for a path that programs ask for too. */
    toHandler: (route: PageRoute<Visit>) => createOpener(route, (visit) => visit),
    /** Adds a form without a page of its own. */
    addForm,
  };
}

export type PageRoutes = ReturnType<typeof createPageRoutes>;
