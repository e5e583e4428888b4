/** Which page is shown, and with what in its address. Hidden here: the browser's history, and clicks on links within the site. */
import { createObservable, useObservable } from "./observable.ts";
import type { Route } from "./path.ts";
import { toRoute } from "./path.ts";

interface Place {
  readonly route: Route;
  /** The address' query, with its "?" when there is one. */
  readonly search: string;
}

function readPlace(): Place {
  return { route: toRoute(location.pathname), search: location.search };
}

const current = createObservable<Place>(readPlace());

/** Goes to a page of this site; `replace` leaves no step behind in the browser's history. */
export function navigate(path: string, { replace = false }: { replace?: boolean } = {}): void {
  const pageBefore = location.pathname;
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  current.set(readPlace());
  if (location.pathname === pageBefore) return;
  scrollTo(0, 0);
  // A new page: what was focused is gone, and screen readers begin to read here.
  document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
}

/** The present page. */
export function useRoute(): Route {
  return useObservable(current).route;
}

/** The query of the present address. */
export function useSearch(): string {
  return useObservable(current).search;
}

function findLink(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target !== "" || link.hasAttribute("download")) return undefined;
  // A place within this page is the browser's own affair.
  if (link.getAttribute("href")?.startsWith("#") === true) return undefined;
  return link.origin === location.origin && toRoute(link.pathname).page !== "unknown" ? link : undefined;
}

addEventListener("popstate", () => current.set(readPlace()));
document.addEventListener("click", (event) => {
  const link = findLink(event);
  if (link === undefined) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
});
