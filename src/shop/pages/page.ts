/** Pages of the storefront with their forms. */
import type { Context } from "hono";
import type { AppEnv, ServiceApp } from "../../kit/http/app.ts";
import { findLanguage } from "../../kit/text/languages.ts";
import { type PageRoute, createPageServer } from "../../html/form-pages.ts";
import { toFaults } from "./form-faults.ts";
import { type Visit, type Visits, catalogueHeaders, pageHeaders } from "./visit.tsx";

export interface PagesDeps {
  readonly app: ServiceApp;
  readonly visits: Visits;
  readonly publicUrl: string;
  readonly now: () => number;
}

/** A page of the catalogue: the same for all visitors, except for the token in its forms and the cart. */
export interface CatalogueRoute {
  readonly path: string;
  readonly show: (visit: Visit) => Promise<Response> | Response;
  /**
   * The relevant part of the query: the page is rendered once for each value. Undefined if there are too many, such as
   * search terms.
   */
  readonly toQuery?: (c: Context<AppEnv>) => string | undefined;
  /** Called when a visitor opens it. */
  readonly onOpen?: (c: Context<AppEnv>) => void;
}

function toLanguageQuery(c: Context<AppEnv>): string {
  const language = findLanguage(c.req.query("lang"));
  return language === undefined ? "" : `lang=${language}`;
}

/** Creates what adds pages to the application. */
export function createPageRoutes({ app, visits, publicUrl, now }: PagesDeps) {
  const { serve, addForm } = createPageServer<Visit>({
    app,
    now,
    headers: pageHeaders,
    publicUrl: publicUrl === "" ? undefined : publicUrl,
    open: visits.open,
    showKept: () => Promise.resolve(undefined),
    hasFormToken: visits.hasFormToken,
    toFormKey: visits.toFormKey,
    toFaults: (error, { t }, fields) => toFaults(error, { t, fields }),
    sayCookies: ({ t }) => t("error.cookies"),
  });
  const send = app.createPageSender(catalogueHeaders);

  /** The handler of a catalogue page, for a path that programs request too. */
  function toHandler({ show, toQuery, onOpen }: CatalogueRoute) {
    return async (c: Context<AppEnv>): Promise<Response> => {
      onOpen?.(c);
      const { path, raw } = c.req;
      if (!raw.url.includes("?")) return visits.showKept(c, { address: path, isKept: true, send, show });
      const own = toQuery === undefined ? "" : toQuery(c);
      const query = [own ?? "", toLanguageQuery(c)].filter((part) => part !== "").join("&");
      const address = query === "" ? path : `${path}?${query}`;
      return visits.showKept(c, { address, isKept: own !== undefined, send, show });
    };
  }

  return {
    /** Adds a public page. */
    addPublic: (route: PageRoute<Visit>): void => serve(route, (visit) => visit),
    /** Adds a page of the catalogue. */
    addCatalogue: (route: CatalogueRoute): void => {
      app.get(route.path, toHandler(route));
    },
    toHandler,
    /** Adds a form without a page. */
    addForm,
  };
}

export type PageRoutes = ReturnType<typeof createPageRoutes>;
