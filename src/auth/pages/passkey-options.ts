/** Options for passkeys, as JSON for the script of a page. */
import type { PageRoutes } from "./page.ts";
import type { SignedInVisit, Visit, Visits } from "./visit.tsx";

interface Options<V extends Visit> {
  readonly path: string;
  /** `browser` identifies the browser. */
  readonly begin: (visit: V, browser: string) => Promise<unknown>;
}

async function answer<V extends Visit>(
  visit: V,
  visits: Visits,
  begin: Options<V>["begin"],
): Promise<Response> {
  visit.c.header("cache-control", "no-store");
  return visit.c.json(await begin(visit, visits.toBrowserKey(visit.c)));
}

/** Adds a public path. */
export function addOptions(pages: PageRoutes, visits: Visits, { path, begin }: Options<Visit>): void {
  pages.addForm(path, (visit) => answer(visit, visits, begin));
}

/** Adds one for who is signed in; others are led to where they can. */
export function addPersonalOptions(
  pages: PageRoutes,
  visits: Visits,
  { path, begin }: Options<SignedInVisit>,
): void {
  pages.addForm(path, async (visit) => {
    // Also for who sets up a second factor first: what passkeys of theirs may do is said where they are used.
    const subject = visit.subject ?? visit.enrolling;
    if (subject === undefined) return visit.c.redirect("/sign-in", 303);
    return answer({ ...visit, subject }, visits, begin);
  });
}
