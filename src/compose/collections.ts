/** What each service keeps: the one list that tools over whole stores go by. */
import type { Collection } from "../store/store.ts";
import { monitorCollections } from "../monitor/records.ts";

export const serviceCollections: Readonly<Record<string, readonly Collection[]>> = {
  monitor: monitorCollections,
};
