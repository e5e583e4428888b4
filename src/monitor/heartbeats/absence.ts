/** Whether the monitor was able to receive pings: those due while it was down are not missed. */
import type { Clock } from "../../kit/time/clock.ts";
import type { Store } from "../../store/store.ts";
import { WATCH_ID, heartbeatWatch } from "./records.ts";

/** How often it is written that the store takes pings. */
const PROVE_MS = 30_000;
/** Shorter absences are none: a proof may be this old, and a start takes its time. */
export const LEAST_ABSENCE_MS = 60_000;
/** A clock that was set back by less is not noticed. */
const BACK_MS = 5_000;

/** Times, epoch milliseconds, between which no ping could be taken. `to` is before `from` after a clock was set back. */
export interface Absence {
  readonly from: number;
  readonly to: number;
}

/** Keeps the proof that the store takes pings, and finds the holes in it. */
export class AbsenceFinder {
  readonly #store: Store;
  readonly #clock: Clock;
  /** By the wall. Undefined until it was read from the store. */
  #aliveAt: number | undefined;

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Reads the proof again at the next call: another node was in charge until now. */
  reset(): void {
    this.#aliveAt = undefined;
  }

  /**
   * Renews the proof of presence when due. Passes an absence to `excuse` before it is forgotten. Rejects with errors
   * of the store, and then tries again at the next call.
   */
  async prove(excuse: (absence: Absence) => Promise<void>): Promise<void> {
    const now = this.#clock.now();
    const known = this.#aliveAt ?? (await this.#read()) ?? now;
    const elapsed = now - known;
    if (this.#aliveAt !== undefined && elapsed < PROVE_MS && elapsed > -BACK_MS) return;
    // It must be known that the store writes before it is said since when: it may be away still.
    await this.#store.check();
    if (elapsed > LEAST_ABSENCE_MS || elapsed <= -BACK_MS) await excuse({ from: known, to: now });
    await this.#write(now);
    this.#aliveAt = now;
  }

  async #read(): Promise<number | undefined> {
    return (await this.#store.read((tx) => tx.get(heartbeatWatch, WATCH_ID)))?.aliveAt;
  }

  async #write(aliveAt: number): Promise<void> {
    await this.#store.transact(async (tx) => {
      const kept = await tx.get(heartbeatWatch, WATCH_ID);
      if (kept === undefined) await tx.insert(heartbeatWatch, { id: WATCH_ID, aliveAt });
      else await tx.put(heartbeatWatch, { ...kept, aliveAt });
    });
  }
}
