/** How far the wall clock of a machine is from the right time. */
export class WallClock {
  #fromMs = 0;
  #toMs = 0;
  #setAtMs = 0;
  #driftMs = 0;

  /** Milliseconds by which it is ahead. */
  skewAt(nowMs: number): number {
    const passedMs = nowMs - this.#setAtMs;
    if (passedMs >= this.#driftMs) return this.#toMs;
    return this.#fromMs + ((this.#toMs - this.#fromMs) * passedMs) / this.#driftMs;
  }

  /** Lets it be ahead by `skewMs`: at once, or by running too fast or too slowly for `driftMs`. */
  set(skewMs: number, { nowMs, driftMs = 0 }: { readonly nowMs: number; readonly driftMs?: number }): void {
    this.#fromMs = this.skewAt(nowMs);
    this.#toMs = skewMs;
    this.#setAtMs = nowMs;
    this.#driftMs = driftMs;
  }
}
