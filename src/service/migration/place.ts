/** A place that stores can be in, for moving them: read a page at a time, written whole. */
import type { Collection } from "../../store/store.ts";
import type { Content } from "./content.ts";

/** One service's store, wherever it is. */
export interface StoreName {
  readonly name: string;
  readonly collections: readonly Collection[];
}

export interface Place {
  /** For people; never with a password. */
  readonly label: string;
  /**
   * Opens what it holds of a service, which has to be closed; undefined when it never held any.
   * @throws StoreError `store_unavailable` when a service runs on it, or it is damaged
   */
  open(store: StoreName): Promise<Content | undefined>;
  /**
   * Replaces what it holds of a service, all or nothing. Resolves with where the former content is kept, if it is.
   * @throws StoreError `store_unavailable` when a service runs on it
   */
  write(store: StoreName, content: Content): Promise<string | undefined>;
}
