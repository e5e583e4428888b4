/** What is to come, the earliest first: a binary heap. Of two at the same time the one that was added first. */
import type { Owner } from "./owner.ts";

export interface SimulatedEvent {
  /** Virtual milliseconds since the beginning. */
  at: number;
  readonly order: number;
  readonly owner: Owner;
  /** Undefined once it was canceled. */
  run: (() => void) | undefined;
  /** For the trace; an empty one is left out of it. */
  readonly label: string;
}

const isBefore = (a: SimulatedEvent, b: SimulatedEvent): boolean =>
  a.at < b.at || (a.at === b.at && a.order < b.order);

export class EventQueue {
  #heap: SimulatedEvent[] = [];

  get size(): number {
    return this.#heap.length;
  }

  peek(): SimulatedEvent | undefined {
    return this.#heap[0];
  }

  add(event: SimulatedEvent): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(event);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(event, parent)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = event;
  }

  /** Removes what never comes: the events of a dead owner, which would keep all of its memory for days. */
  drop(owner: Owner): void {
    const kept = this.#heap.filter((event) => event.owner !== owner);
    this.#heap = [];
    for (const event of kept) this.add(event);
  }

  take(): SimulatedEvent | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      let child = heap[below];
      const right = heap[below + 1];
      if (child === undefined) break;
      if (right !== undefined && isBefore(right, child)) {
        child = right;
        below += 1;
      }
      if (!isBefore(child, last)) break;
      heap[index] = child;
      index = below;
    }
    heap[index] = last;
    return first;
  }
}
