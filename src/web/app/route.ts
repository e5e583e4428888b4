/** Which page is shown, and with what in its address. */
import { computed, signal } from "@preact/signals";
import { type Route, basePath, toOwnPath, toRoute } from "./path.ts";

interface Place {
  /** The address' query, with its "?" when there is one. */
  readonly search: string;
  /** Where the reader is, so that a step back can be taken back. */
  readonly address: string;
  readonly path: string;
}

function readPlace(): Place {
  const { pathname, search } = location;
  const own = toOwnPath(pathname);
  return { search, address: own + search, path: own };
}

const place = signal(readPlace());
const path = computed(() => place.value.path);
/** The present page; another one when the path changes, not with the query alone. */
export const route = computed(() => toRoute(path.value));
/** The query of the present address. */
export const search = computed(() => place.value.search);

let isOwnPage = ({ page }: Route): boolean => page !== "unknown";

/** Sets which pages this script renders; links to all others load a new document. */
export function setOwnPages(isOwn: (route: Route) => boolean): void {
  isOwnPage = isOwn;
}

/** Whether the reader is held here; `leave` continues anyway. */
type LeaveGuard = (leave: () => void) => boolean;
/** Of each part of the page with unsaved changes; the last one decides. */
let leaveGuards: readonly LeaveGuard[] = [];

/** Calls `guard` before the page changes, for example with unsaved changes; returns how to stop. */
export function guardLeaving(guard: LeaveGuard): () => void {
  leaveGuards = [...leaveGuards, guard];
  return () => {
    leaveGuards = leaveGuards.filter((other) => other !== guard);
  };
}

/** Goes to a page of this site, by its path without the base; `replace` leaves no step behind in the browser's history. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  if (leaveGuards.at(-1)?.(() => go(to, replace)) !== true) go(to, replace);
}

function go(to: string, replace: boolean): void {
  const before = path.peek();
  if (replace) history.replaceState(null, "", basePath + to);
  else history.pushState(null, "", basePath + to);
  place.value = readPlace();
  if (path.peek() === before) return;
  scrollTo(0, 0);
  // The focused element is gone: screen readers and the Tab key begin at the new page.
  document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
}

function findLink(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.target !== "" || link.hasAttribute("download")) return undefined;
  // The browser itself goes to a place on the same page, and moves the focus there.
  if (link.hash !== "" && link.pathname === location.pathname) return undefined;
  const isPage = isOwnPage(toRoute(toOwnPath(link.pathname)));
  return link.origin === location.origin && isPage ? link : undefined;
}

addEventListener("popstate", () => {
  const { address } = place.peek();
  const next = readPlace();
  if (leaveGuards.at(-1)?.(() => go(next.address, false)) === true)
    history.pushState(null, "", basePath + address);
  else place.value = next;
});
document.addEventListener("click", (event) => {
  const link = findLink(event);
  if (link === undefined) return;
  event.preventDefault();
  navigate(toOwnPath(link.pathname) + link.search);
});
