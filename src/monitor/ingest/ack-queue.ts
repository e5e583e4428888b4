/**
 * The acknowledgements of one stream, given out in the order of its messages while the work behind them finishes in
 * any order.
 */

/** The outcome of a message. */
export interface AckOutcome {
  readonly accepted: boolean;
  readonly ack: string;
}

/** The place of one message in the order. */
export interface AckSlot {
  outcome: AckOutcome | undefined;
  error: Error | undefined;
}

export interface AckQueueOptions {
  /** Acknowledgement → message. */
  readonly encode: (ack: string) => Uint8Array;
  /** Messages at most whose acknowledgement has not been taken. */
  readonly window: number;
  /** The error that ends the queue after as many rejections in a row. */
  readonly maxRejections: number;
  readonly toRejectionsError: () => Error;
  /** Called once, when acknowledgments are no longer accepted. */
  readonly onEnd: (error: Error | undefined) => void;
}

interface Waiter {
  readonly resolve: (result: IteratorResult<Uint8Array>) => void;
  readonly reject: (error: Error) => void;
}

const done: IteratorResult<Uint8Array> = { done: true, value: undefined };

export class AckQueue implements AsyncIterableIterator<Uint8Array> {
  readonly #options: AckQueueOptions;
  #slots: AckSlot[] = [];
  #head = 0;
  #rejections = 0;
  #closed = false;
  #over = false;
  #failure: Error | undefined;
  #waiter: Waiter | undefined;
  #wakeSender: (() => void) | undefined;

  constructor(options: AckQueueOptions) {
    this.#options = options;
  }

  /** No more messages are wanted. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Encoded acknowledgements. One reader, one `next` at a time. */
  get messages(): this {
    return this;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Reserves the next slot; give it to `settle` or `fail` later. */
  reserve(): AckSlot {
    const slot: AckSlot = { outcome: undefined, error: undefined };
    if (!this.#closed) this.#slots.push(slot);
    return slot;
  }

  settle(slot: AckSlot, outcome: AckOutcome): void {
    slot.outcome = outcome;
    if (slot === this.#slots[this.#head]) this.#wake();
  }

  fail(slot: AckSlot, error: Error): void {
    slot.error = error;
    if (slot === this.#slots[this.#head]) this.#wake();
  }

  /** Undefined while there is room for one more message, else a promise to wait for. */
  room(): Promise<void> | undefined {
    if (this.#closed || this.#slots.length - this.#head < this.#options.window) return undefined;
    return new Promise((resolve) => {
      this.#wakeSender = resolve;
    });
  }

  /** Nothing comes after what is reserved; then the queue ends, with `error` when there is one. */
  finish(error?: Error): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#failure = error;
    }
    this.#wake();
  }

  /** Ends at once, whatever waits. */
  abort(error: Error): void {
    if (this.#over) return;
    this.#cut(error);
    this.#wake();
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      this.#wake();
    });
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#end();
    this.#failure = undefined;
    return Promise.resolve(done);
  }

  #end(): void {
    this.#closed = true;
    this.#slots = [];
    this.#head = 0;
    this.#letSend();
    if (this.#over) return;
    this.#over = true;
    this.#options.onEnd(this.#failure);
  }

  /** Uses `error` as the end, also when another end was announced for later. */
  #cut(error: Error): void {
    this.#failure = error;
    this.#end();
  }

  #letSend(): void {
    this.#wakeSender?.();
    this.#wakeSender = undefined;
  }

  #shift({ accepted, ack }: AckOutcome): Uint8Array {
    this.#head += 1;
    if (this.#head === this.#slots.length || this.#head === this.#options.window) {
      this.#slots = this.#slots.slice(this.#head);
      this.#head = 0;
    }
    this.#letSend();
    this.#rejections = accepted ? 0 : this.#rejections + 1;
    if (this.#rejections >= this.#options.maxRejections) this.#cut(this.#options.toRejectionsError());
    return this.#options.encode(ack);
  }

  /** The next result, or undefined when it must be waited for. Throws the error that ends the queue. */
  #take(): IteratorResult<Uint8Array> | undefined {
    const slot = this.#slots[this.#head];
    if (slot?.outcome !== undefined) return { done: false, value: this.#shift(slot.outcome) };
    if (slot?.error !== undefined) this.#cut(slot.error);
    else if (slot !== undefined || !this.#closed) return undefined;
    this.#end();
    const error = this.#failure;
    this.#failure = undefined;
    if (error !== undefined) throw error;
    return done;
  }

  #wake(): void {
    const waiter = this.#waiter;
    if (waiter === undefined) return;
    try {
      const result = this.#take();
      if (result === undefined) return;
      this.#waiter = undefined;
      waiter.resolve(result);
    } catch (error) {
      this.#waiter = undefined;
      waiter.reject(error instanceof Error ? error : new Error("The queue failed", { cause: error }));
    }
  }
}

export function createAckQueue(options: AckQueueOptions): AckQueue {
  return new AckQueue(options);
}
