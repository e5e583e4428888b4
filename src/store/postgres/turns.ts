/**
 * Turns: who in this process may write which record now. Transactions of one process that want the same
 * record queue here, first come first served, instead of failing each other in the database.
 */
import { toError } from "../../kit/thrown.ts";

/** The keys of a transaction; released all at once. */
export interface Turn {
  has(key: string): boolean;
  /** Takes one more key if it is free; returns false otherwise. Never waits, so it cannot deadlock. */
  tryTake(key: string): boolean;
  release(): void;
}

interface Waiter {
  readonly grant: () => void;
  readonly refuse: (reason: unknown) => void;
}

export class Turns {
  readonly #queues = new Map<string, Waiter[]>();

  /** Waits for all keys. `patience` is called if it has to wait; throws the abort reason. */
  async take(keys: ReadonlySet<string>, patience: () => AbortSignal): Promise<Turn> {
    const held = new Set<string>();
    let signal: AbortSignal | undefined;
    const turn: Turn = {
      has: (key) => held.has(key),
      tryTake: (key) => {
        if (held.has(key)) return true;
        if (this.#queues.has(key)) return false;
        this.#queues.set(key, []);
        held.add(key);
        return true;
      },
      release: () => {
        for (const key of held) this.#pass(key);
        held.clear();
      },
    };
    try {
      // In one order for all, so that two that want the same two keys cannot wait for each other.
      for (const key of [...keys].sort()) {
        if (!turn.tryTake(key)) {
          signal ??= patience();
          await this.#wait(key, signal);
          held.add(key);
        }
      }
    } catch (error) {
      turn.release();
      throw error;
    }
    return turn;
  }

  #wait(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(toError(signal.reason));
        return;
      }
      const onAbort = (): void => waiter.refuse(signal.reason);
      const waiter: Waiter = {
        grant: () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        },
        refuse: (reason) => {
          const queue = this.#queues.get(key);
          const at = queue?.indexOf(waiter) ?? -1;
          if (at >= 0) queue?.splice(at, 1);
          reject(toError(reason));
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#queues.get(key)?.push(waiter);
    });
  }

  #pass(key: string): void {
    const next = this.#queues.get(key)?.shift();
    // The key stays taken when it passes to the next in line.
    if (next === undefined) this.#queues.delete(key);
    else next.grant();
  }
}

export function createTurns(): Turns {
  return new Turns();
}
