/**
 * The acknowledgements of one stream, given out in the order of its messages while the work behind
 * them finishes in any order. Hidden here: slots, who waits for whom, and how the queue ends.
 */
import { encodeControl } from "./proto/codec.ts";

/** What became of a message. */
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
  /** Messages at most whose acknowledgement has not been taken. */
  readonly window: number;
  /** The error that ends the queue after as many rejections in a row. */
  readonly maxRejections: number;
  readonly toRejectionsError: () => Error;
  /** Called once, when no acknowledgement will be taken any more. */
  readonly onEnd: (error: Error | undefined) => void;
}

export interface AckQueue {
  /** Takes the next place; give it to `settle` or `fail` later. */
  reserve(): AckSlot;
  settle(slot: AckSlot, outcome: AckOutcome): void;
  fail(slot: AckSlot, error: Error): void;
  /** Undefined while there is room for one more message, else a promise to wait for. */
  room(): Promise<void> | undefined;
  /** Nothing comes after what is reserved; then the queue ends, with `error` when there is one. */
  finish(error?: Error): void;
  /** Ends at once, whatever waits. */
  abort(error: Error): void;
  /** No more messages are wanted. */
  readonly closed: boolean;
  /** Encoded acknowledgements. One reader, one `next` at a time. */
  readonly messages: AsyncIterableIterator<Uint8Array>;
}

interface Waiter {
  readonly resolve: (result: IteratorResult<Uint8Array>) => void;
  readonly reject: (error: Error) => void;
}

const done: IteratorResult<Uint8Array> = { done: true, value: undefined };

/** An empty queue. */
export function createAckQueue(options: AckQueueOptions): AckQueue {
  const { window, maxRejections } = options;
  let slots: AckSlot[] = [];
  let head = 0;
  let rejections = 0;
  let closed = false;
  let failure: Error | undefined;
  let over = false;
  let waiter: Waiter | undefined;
  let wakeSender: (() => void) | undefined;

  function end(): void {
    closed = true;
    slots = [];
    head = 0;
    wakeSender?.();
    wakeSender = undefined;
    if (over) return;
    over = true;
    options.onEnd(failure);
  }
  function close(error: Error | undefined): void {
    if (closed) return;
    closed = true;
    failure = error;
  }
  /** Makes `error` the end, also when another end was announced for later. */
  function cut(error: Error): void {
    failure = error;
    end();
  }
  function count({ accepted }: AckOutcome): void {
    rejections = accepted ? 0 : rejections + 1;
    if (rejections < maxRejections) return;
    cut(options.toRejectionsError());
  }
  function shift(outcome: AckOutcome): Uint8Array {
    head += 1;
    if (head === slots.length || head === window) {
      slots = slots.slice(head);
      head = 0;
    }
    wakeSender?.();
    wakeSender = undefined;
    count(outcome);
    return encodeControl(outcome.ack);
  }
  /** The next result, or undefined when it must be waited for. Throws the error that ends the queue. */
  function take(): IteratorResult<Uint8Array> | undefined {
    const slot = slots[head];
    if (slot?.outcome !== undefined) return { done: false, value: shift(slot.outcome) };
    if (slot?.error !== undefined) cut(slot.error);
    else if (slot !== undefined || !closed) return undefined;
    end();
    const error = failure;
    failure = undefined;
    if (error !== undefined) throw error;
    return done;
  }
  function wake(): void {
    if (waiter === undefined) return;
    const waiting = waiter;
    try {
      const result = take();
      if (result === undefined) return;
      waiter = undefined;
      waiting.resolve(result);
    } catch (error) {
      waiter = undefined;
      waiting.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }
  const messages: AsyncIterableIterator<Uint8Array> = {
    next: () =>
      new Promise((resolve, reject) => {
        waiter = { resolve, reject };
        wake();
      }),
    return: () => {
      end();
      failure = undefined;
      return Promise.resolve(done);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return {
    reserve: () => {
      const slot: AckSlot = { outcome: undefined, error: undefined };
      if (!closed) slots.push(slot);
      return slot;
    },
    settle: (slot, outcome) => {
      slot.outcome = outcome;
      if (slot === slots[head]) wake();
    },
    fail: (slot, error) => {
      slot.error = error;
      if (slot === slots[head]) wake();
    },
    room: () =>
      closed || slots.length - head < window
        ? undefined
        : new Promise<void>((resolve) => (wakeSender = resolve)),
    finish: (error) => {
      close(error);
      wake();
    },
    abort: (error) => {
      if (over) return;
      cut(error);
      wake();
    },
    get closed() {
      return closed;
    },
    messages,
  };
}
