/** In place of `node:timers`, and of the global timers. */
import * as real from "node:timers";
import { findProgramWorld } from "../kernel/current.ts";
import type { Kernel, Pending } from "../kernel/kernel.ts";

type Work = (...given: unknown[]) => unknown;

/** A timer as Node returns it. */
export class SimulatedTimer {
  readonly #kernel: Kernel;
  readonly #work: () => unknown;
  readonly #everyMs: number | undefined;
  #pending: Pending;

  constructor(
    kernel: Kernel,
    work: () => unknown,
    { delayMs, repeats }: { delayMs: number; repeats: boolean },
  ) {
    this.#kernel = kernel;
    this.#work = work;
    this.#everyMs = repeats ? delayMs : undefined;
    this.#pending = kernel.timer(delayMs, () => this.#fire());
  }

  #fire(): void {
    if (this.#everyMs !== undefined) this.#pending = this.#kernel.timer(this.#everyMs, () => this.#fire());
    this.#work();
  }

  close(): this {
    this.#pending.cancel();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function clear(timer: unknown): void {
  if (timer instanceof SimulatedTimer) timer.close();
  else if (typeof timer === "object" || typeof timer === "number")
    Reflect.apply(real.clearTimeout, undefined, [timer]);
}

function create(
  work: Work,
  delayMs: number,
  { given, repeats }: { given: unknown[]; repeats: boolean },
): unknown {
  const world = findProgramWorld();
  if (world !== undefined)
    return new SimulatedTimer(world.kernel, () => work(...given), { delayMs, repeats });
  return Reflect.apply(repeats ? real.setInterval : real.setTimeout, undefined, [work, delayMs, ...given]);
}

export const setTimeout = (work: Work, delayMs = 1, ...given: unknown[]): unknown =>
  create(work, delayMs, { given, repeats: false });

export const setInterval = (work: Work, delayMs = 1, ...given: unknown[]): unknown =>
  create(work, delayMs, { given, repeats: true });

export const clearTimeout = clear;
export const clearInterval = clear;

export const setImmediate = (work: Work, ...given: unknown[]): unknown => {
  const world = findProgramWorld();
  if (world === undefined) return Reflect.apply(real.setImmediate, undefined, [work, ...given]);
  return world.kernel.after(0, () => work(...given));
};

export const clearImmediate = (pending: unknown): void => {
  if (
    typeof pending === "object" &&
    pending !== null &&
    "cancel" in pending &&
    typeof pending.cancel === "function"
  )
    pending.cancel();
  else Reflect.apply(real.clearImmediate, undefined, [pending]);
};
