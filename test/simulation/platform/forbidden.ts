/** In place of modules with sockets, threads and processes: what the program uses of them ends the run. */
import { findProgramWorld } from "../kernel/current.ts";
import { SimulationError } from "../kernel/kernel.ts";

function check(name: string): void {
  const world = findProgramWorld();
  if (world === undefined) return;
  const error = new SimulationError(`The program reached ${name}`);
  world.kernel.fail(error);
  throw error;
}

/** The value of a module, of which the program can call and create nothing. */
export function guard<T>(name: string, value: T): T {
  if (typeof value !== "function") return value;
  return new Proxy(value, {
    apply: (target, self, given) => {
      check(name);
      return Reflect.apply(target, self, given) as unknown;
    },
    construct: (target, given, newTarget) => {
      check(name);
      return Reflect.construct(target, given, newTarget) as object;
    },
  });
}
