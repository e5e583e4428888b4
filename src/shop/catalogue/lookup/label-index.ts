/** Which products have which label: a tag, a category. */
import type { Bits } from "./bits.ts";

/** Labels and the places (small numbers) of what has them. */
export class LabelIndex {
  readonly #placesOf = new Map<string, number[]>();

  add(label: string, place: number): void {
    const places = this.#placesOf.get(label);
    if (places === undefined) this.#placesOf.set(label, [place]);
    else places.push(place);
  }

  remove(label: string, place: number): void {
    const places = this.#placesOf.get(label);
    const at = places?.indexOf(place) ?? -1;
    if (places === undefined || at === -1) return;
    const last = places.pop();
    if (last !== undefined && at < places.length) places[at] = last;
    if (places.length === 0) this.#placesOf.delete(label);
  }

  count(label: string): number {
    return this.#placesOf.get(label)?.length ?? 0;
  }

  /** Adds to `bits` what has the label. */
  collect(label: string, bits: Bits): void {
    for (const place of this.#placesOf.get(label) ?? []) bits.add(place);
  }
}
