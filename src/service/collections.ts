/** The collections of each service: the one list for tools that work on whole stores. */
import type { ServiceName } from "../kit/services.ts";
import type { Collection } from "../store/store.ts";
import { authCollections } from "../auth/app/records.ts";
import { monitorCollections } from "../monitor/app/records.ts";
import { shopCollections } from "../shop/app/records.ts";

/** Every collection of a service, by the service's name, which is also that of its folder and its tables. */
export const serviceCollections: Readonly<Record<string, readonly Collection[]>> = {
  monitor: monitorCollections,
  auth: authCollections,
  shop: shopCollections,
} satisfies Record<ServiceName, readonly Collection[]>;
