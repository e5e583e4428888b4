/** How the documentation is indexed and searched: the same where the index is built and where it is read. */
import type { Options } from "minisearch";

/** A part of a page below one heading. */
export interface Section {
  /** Its address from the root of the site. */
  readonly id: string;
  readonly page: string;
  /** "" at the beginning of a page. */
  readonly heading: string;
  readonly text: string;
}

/** Pages for contributors and auditors come after those for people who run an install. */
const LATER = /^(?:asvs|decisions|notes|project)\//u;
/** Sections of one page among the results. */
const MAX_OF_PAGE = 2;

export const searchOptions: Options<Section> = {
  fields: ["page", "heading", "text"],
  storeFields: ["page", "heading"],
  searchOptions: {
    boost: { page: 4, heading: 3 },
    combineWith: "AND",
    prefix: true,
    fuzzy: (term: string): number => (term.length > 4 ? 0.2 : 0),
    boostDocument: (id: unknown): number => (LATER.test(String(id)) ? 0.2 : 1),
  },
};

/** The best results, without those that would repeat the same page. */
export function pickResults<Found extends { readonly id: unknown }>(
  found: readonly Found[],
  limit: number,
): Found[] {
  const counts = new Map<string, number>();
  const picked: Found[] = [];
  for (const one of found) {
    const [page = ""] = String(one.id).split("#", 1);
    const count = (counts.get(page) ?? 0) + 1;
    counts.set(page, count);
    if (count <= MAX_OF_PAGE) picked.push(one);
    if (picked.length === limit) break;
  }
  return picked;
}
