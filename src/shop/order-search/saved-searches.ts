/** Searches that administrators save under a name, for all administrators of the shop. */
import { describeName } from "../../kit/text/changes.ts";
import { createResource } from "../../records/resource.ts";
import type { ShopDeps } from "../base/deps.ts";
import { savedSearches } from "./records.ts";
import { toSearchText } from "./rows.ts";
import type { SavedSearchRecord } from "./schema.ts";

export type SavedFields = Pick<SavedSearchRecord, "name" | "query">;

export type SavedSearches = ReturnType<typeof createSavedSearches>;

/** Creates the administration of saved searches. */
export function createSavedSearches(deps: Pick<ShopDeps, "store" | "clock">) {
  return createResource(deps, {
    collection: savedSearches,
    noun: "saved search",
    idPrefix: "sea",
    auditName: "order-search",
    atMost: 100,
    unique: { index: "byName", keyOf: ({ nameKey }) => [nameKey], field: "name" },
    orders: { name: { index: "inOrder" } },
    create: ({ name, query }: SavedFields, { id, nowMs }) => ({
      id,
      version: 0,
      name,
      nameKey: toSearchText(name),
      query,
      createdAt: nowMs,
      updatedAt: nowMs,
    }),
    change: (before, { name = before.name, query = before.query }: Partial<SavedFields>) => ({
      ...before,
      name,
      nameKey: toSearchText(name),
      query,
    }),
    describe: ({ name }) => describeName(name),
    derived: ["nameKey"],
  });
}
