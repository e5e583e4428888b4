/** The names of applications, as people know them. */
import type { Store } from "../../store/store.ts";
import { clients } from "./records.ts";

/** By id; applications that are not registered are left out. */
export function readApplicationNames(
  store: Store,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  return store.read(async (tx) => {
    const found = await Promise.all(Array.from(new Set(ids), (id) => tx.get(clients, id)));
    return new Map(found.flatMap((client) => (client === undefined ? [] : [[client.id, client.name]])));
  });
}
