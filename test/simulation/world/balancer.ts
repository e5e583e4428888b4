/** A balancer before several machines: each request goes to one of those that run. */
import type { Random } from "../kernel/random.ts";
import type { Machine } from "./machine.ts";

export class Balancer {
  readonly #machines: readonly [Machine, ...Machine[]];
  readonly #random: Random;

  constructor(machines: readonly [Machine, ...Machine[]], random: Random) {
    this.#machines = machines;
    this.#random = random;
  }

  /** @throws NoAnswer as {@link Machine.request} */
  request(...given: Parameters<Machine["request"]>): ReturnType<Machine["request"]> {
    const [first, ...rest] = this.#machines.filter(({ isUp }) => isUp);
    const among: readonly [Machine, ...Machine[]] = first === undefined ? this.#machines : [first, ...rest];
    return this.#random.pick(among).request(...given);
  }
}
