/** Why a section of the home page is not shown. */
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { listCollected } from "../../catalogue/chosen.ts";
import { type Section, type UnknownSection, isKnownSection } from "../../site/storefront-schema.ts";

export const sectionProblems = [
  "unknown_type",
  "picture_gone",
  "collection_gone",
  "collection_hidden",
  "collection_empty",
  "empty",
] as const;
export type SectionProblem = (typeof sectionProblems)[number];

interface Around {
  readonly catalogue: Pick<Catalogue, "collections" | "list" | "tree">;
  /** Hashes of pictures that are gone. */
  readonly lost: ReadonlySet<string>;
}

function findCollectionProblem(id: string, { catalogue }: Around): SectionProblem | undefined {
  const collection = catalogue.collections().find((each) => each.id === id);
  if (collection === undefined) return "collection_gone";
  if (collection.status !== "published") return "collection_hidden";
  return listCollected(catalogue, collection).length === 0 ? "collection_empty" : undefined;
}

/** The reason to leave a section out; undefined for one that is shown. */
export function findSectionProblem(
  section: Section | UnknownSection,
  around: Around,
): SectionProblem | undefined {
  if (!isKnownSection(section)) return "unknown_type";
  switch (section.type) {
    case "hero":
    case "story": {
      const { image, title, text } = section;
      if (image !== undefined && around.lost.has(image.hash)) return "picture_gone";
      return image === undefined && title === "" && text === "" ? "empty" : undefined;
    }
    case "collection":
      return findCollectionProblem(section.collectionId, around);
    case "columns":
      return section.items.some(({ title, text }) => title !== "" || text !== "") ? undefined : "empty";
    case "questions":
      return section.items.some(({ question, answer }) => question !== "" && answer !== "")
        ? undefined
        : "empty";
    case "products":
      return undefined;
  }
}
