/** Which page is shown. Hidden here: the browser's history, and clicks on links within the site. */
import { createObservable, useObservable } from "./observable.ts";

export type Route =
  | { readonly page: "fleet" }
  | { readonly page: "server"; readonly id: string }
  | { readonly page: "admin"; readonly section: string; readonly id?: string }
  | { readonly page: "unknown" };

function toRoute(path: string): Route {
  const [first, second, third, ...rest] = path.split("/").filter((part) => part !== "");
  if (rest.length > 0) return { page: "unknown" };
  if (first === undefined) return { page: "fleet" };
  if (first === "servers" && second !== undefined && third === undefined)
    return { page: "server", id: second };
  if (first === "admin")
    return { page: "admin", section: second ?? "servers", ...(third === undefined ? {} : { id: third }) };
  return { page: "unknown" };
}

const current = createObservable<Route>(toRoute(location.pathname));

/** Where the reader is, so that a step back can be taken back. */
let presentPath = location.pathname + location.search;
/** Says whether the reader is held here; `leave` goes on after all. */
type LeaveGuard = (leave: () => void) => boolean;
let leaveGuard: LeaveGuard | undefined;

/** Asks `guard` before the page changes, for example while something is not saved; returns how to stop. */
export function guardLeaving(guard: LeaveGuard): () => void {
  leaveGuard = guard;
  return () => {
    if (leaveGuard === guard) leaveGuard = undefined;
  };
}

/** Goes to a page of this site; `replace` leaves no step behind in the browser's history. */
export function navigate(path: string, { replace = false }: { replace?: boolean } = {}): void {
  if (leaveGuard?.(() => go(path, replace)) !== true) go(path, replace);
}

function go(path: string, replace: boolean): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  presentPath = location.pathname + location.search;
  current.set(toRoute(location.pathname));
  scrollTo(0, 0);
}

/** The present page. */
export function useRoute(): Route {
  return useObservable(current);
}

function findLink(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target !== "" || link.hasAttribute("download")) return undefined;
  // The browser itself goes to a place on the same page, and moves the focus there.
  if (link.hash !== "" && link.pathname === location.pathname) return undefined;
  return link.origin === location.origin && toRoute(link.pathname).page !== "unknown" ? link : undefined;
}

addEventListener("popstate", () => {
  const wanted = location.pathname + location.search;
  if (leaveGuard?.(() => go(wanted, false)) === true) {
    history.pushState(null, "", presentPath);
    return;
  }
  presentPath = wanted;
  current.set(toRoute(location.pathname));
});
document.addEventListener("click", (event) => {
  const link = findLink(event);
  if (link === undefined) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
});
