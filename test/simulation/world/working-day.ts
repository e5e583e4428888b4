/** How long clients work: a rest ends with it. */
import type { Kernel } from "../kernel/kernel.ts";

export class WorkingDay {
  readonly #kernel: Kernel;
  readonly #resting = new Set<() => void>();
  isOver = false;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Rests for so long, or until it is over. Tells whether work goes on. */
  async rest(forMs: number): Promise<boolean> {
    if (this.isOver) return false;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#resting.delete(wake);
        resolve();
      };
      this.#resting.add(wake);
      this.#kernel.after(forMs, wake);
    });
    return !this.isOver;
  }

  end(): void {
    this.isOver = true;
    for (const wake of this.#resting) wake();
  }
}
