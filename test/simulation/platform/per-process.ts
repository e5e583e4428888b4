/** State of modules, of which each simulated process has its own, as if it had loaded the program. */
import { getWorld } from "../kernel/current.ts";
import type { Owner } from "../kernel/owner.ts";

/** A map that is another one in each process. */
export function createPerProcess<K, V>(create: () => Map<K, V>): Pick<Map<K, V>, "get" | "set"> {
  const known = new WeakMap<Owner, Map<K, V>>();
  const own = (): Map<K, V> => {
    const { owner } = getWorld().kernel;
    const found = known.get(owner) ?? create();
    known.set(owner, found);
    return found;
  };
  return {
    get: (key) => own().get(key),
    set: (key, value) => own().set(key, value),
  };
}
