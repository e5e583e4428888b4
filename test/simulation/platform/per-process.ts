/** State of modules, of which each simulated process has its own, as if it had loaded the program. */
import { getWorld } from "../kernel/current.ts";
import type { Owner } from "../kernel/owner.ts";

/** An object, such as a map, that is another one in each process. */
export function createPerProcess<T extends object>(create: () => T): T {
  const known = new WeakMap<Owner, T>();
  const own = (): T => {
    const { owner } = getWorld().kernel;
    const found = known.get(owner) ?? create();
    known.set(owner, found);
    return found;
  };
  return new Proxy(create(), {
    get: (_, name) => {
      const object = own();
      const member: unknown = Reflect.get(object, name, object);
      return typeof member === "function" ? (member.bind(object) as unknown) : member;
    },
  });
}
