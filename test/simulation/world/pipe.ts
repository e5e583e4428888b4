/** One direction of a connection: what is sent arrives in order, or nothing more does. */
import type { Kernel } from "../kernel/kernel.ts";
import type { Owner } from "../kernel/owner.ts";

export interface PipeOptions<T> {
  /** Who receives. */
  readonly to: Owner;
  /** How long the next item takes, in milliseconds. */
  readonly delayMs: () => number;
  readonly deliver: (item: T) => void;
}

export class Pipe<T> {
  readonly #kernel: Kernel;
  readonly #options: PipeOptions<T>;
  #lastAt = 0;
  #isCut = false;

  constructor(kernel: Kernel, options: PipeOptions<T>) {
    this.#kernel = kernel;
    this.#options = options;
  }

  send(item: T): void {
    const { to, delayMs, deliver } = this.#options;
    const at = Math.max(this.#lastAt, this.#kernel.nowMs + delayMs());
    this.#lastAt = at;
    this.#kernel.after(
      at - this.#kernel.nowMs,
      () => {
        if (!this.#isCut) deliver(item);
      },
      { owner: to },
    );
  }

  /** Nothing arrives anymore, also not what is on its way. */
  cut(): void {
    this.#isCut = true;
  }
}
