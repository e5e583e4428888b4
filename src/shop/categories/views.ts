/** Answers about categories and collections for administrators, made of records. */
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { toImageView } from "../products/views.ts";
import type { CategoryView, CollectionView } from "./answer-schema.ts";
import type { CategoryRecord, CollectionRecord, ShownRecord } from "./schema.ts";

function toShownView({ image, createdAt, updatedAt }: ShownRecord) {
  return {
    image: image && toImageView(image),
    createdAt: toIsoTime(createdAt),
    updatedAt: toIsoTime(updatedAt),
  };
}

export function toCategoryView(record: CategoryRecord): CategoryView {
  return { ...record, ...toShownView(record) };
}

export function toCollectionView(
  { productOrder: _order, ...record }: CollectionRecord,
  productIds?: string[],
): CollectionView {
  return { ...record, ...toShownView(record), productIds };
}

const shownExample = {
  translations: { de: { title: "Tassen" } },
  sortOrder: 2,
  status: "published" as const,
  version: 3,
  createdAt: "2026-11-20T12:00:00.000+00:00",
  updatedAt: "2026-11-21T09:00:00.000+00:00",
};

/** For the document. */
export const exampleCategory = {
  id: "mugs",
  title: "Mugs",
  description: "",
  parentId: "kitchen",
  ...shownExample,
};
/** For the document. */
export const exampleCollection = {
  id: "best-mugs",
  title: "Our best mugs",
  description: "",
  rule: { categoryId: "mugs", inStock: true, sort: "sold", limit: 12 },
  ...shownExample,
};
