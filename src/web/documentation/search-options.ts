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

export const searchOptions: Options<Section> = {
  fields: ["page", "heading", "text"],
  storeFields: ["page", "heading"],
  searchOptions: {
    boost: { page: 4, heading: 3 },
    combineWith: "AND",
    prefix: true,
    fuzzy: (term: string): number => (term.length > 4 ? 0.2 : 0),
  },
};
