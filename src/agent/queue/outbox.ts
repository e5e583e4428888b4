/** A queue that one consumer reads as a stream. */

export interface Outbox<T> extends AsyncIterable<T> {
  push(item: T): void;
  /** Ends the stream after what is in it. */
  close(): void;
}

/** Creates an empty outbox. Its bound is the business of who pushes. */
export function createOutbox<T>(): Outbox<T> {
  const items: T[] = [];
  let closed = false;
  let wake: () => void = () => undefined;

  async function* drain(): AsyncGenerator<T> {
    for (;;) {
      while (items.length > 0) {
        const item = items.shift();
        if (item !== undefined) yield item;
      }
      if (closed) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (closed || items.length > 0) resolve();
      });
    }
  }

  return {
    push(item) {
      if (!closed) items.push(item);
      wake();
    },
    close() {
      closed = true;
      wake();
    },
    [Symbol.asyncIterator]: drain,
  };
}
