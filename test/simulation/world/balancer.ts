/** A balancer before several machines: each request, socket and stream goes to one of those that run. */
import type { Random } from "../kernel/random.ts";
import type { Machine } from "./machine.ts";
import type { StreamHost } from "./streams.ts";

export class Balancer {
  readonly #machines: readonly [Machine, ...Machine[]];
  readonly #random: Random;
  #streams: (() => void)[] = [];

  constructor(machines: readonly [Machine, ...Machine[]], random: Random) {
    this.#machines = machines;
    this.#random = random;
  }

  #pick(): Machine {
    const [first, ...rest] = this.#machines.filter(({ isUp }) => isUp);
    const among: readonly [Machine, ...Machine[]] = first === undefined ? this.#machines : [first, ...rest];
    return this.#random.pick(among);
  }

  /** @throws NoAnswer as {@link Machine.request} */
  request(...given: Parameters<Machine["request"]>): ReturnType<Machine["request"]> {
    return this.#pick().request(...given);
  }

  /** @throws NoAnswer as {@link Machine.openSocket} */
  openSocket(...given: Parameters<Machine["openSocket"]>): ReturnType<Machine["openSocket"]> {
    return this.#pick().openSocket(...given);
  }

  /** Where a stream of an agent goes. */
  findHost(): StreamHost {
    const machine = this.#pick();
    return {
      findListener: (port) => machine.findListener(port),
      onEnd: (tell) => machine.onEnd(tell),
      onBreak: (tell) => void this.#streams.push(tell),
    };
  }

  /** Ends some of the streams, as a reload of its configuration does: the agents come again. */
  reload(): void {
    const streams = this.#streams;
    this.#streams = [];
    for (const end of streams)
      if (this.#random.chance(0.5)) end();
      else this.#streams.push(end);
  }
}
