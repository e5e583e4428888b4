/**
 * Flow control between the two halves of a supervised listener: what is sent is paid from a window, and the receiver
 * gives back what its reader has taken.
 */

/** Unread bytes at which a sender stops; one more message may be under way. */
const windowBytes = 64 * 1024;

/** The cost of a message: its bytes and a share for the objects around it, so that empty ones are not free. */
export function toCost(message: Uint8Array): number {
  return message.byteLength + 64;
}

/** The sender's half. */
export interface SendWindow {
  /** Undefined while there is room, else a promise to wait for. */
  room(): Promise<void> | undefined;
  spend(bytes: number): void;
  grant(bytes: number): void;
  /** Ends all waiting: the stream is over. */
  release(): void;
}

/** A window that starts full. */
export function createSendWindow(): SendWindow {
  let left = windowBytes;
  let released = false;
  let waiters: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiters;
    waiters = [];
    for (const resolve of woken) resolve();
  };
  return {
    room: () => (left > 0 || released ? undefined : new Promise<void>((resolve) => waiters.push(resolve))),
    spend: (bytes) => {
      left -= bytes;
    },
    grant: (bytes) => {
      left += bytes;
      if (left > 0) wake();
    },
    release: () => {
      released = true;
      wake();
    },
  };
}

/** The receiver's half: messages wait here until they are read. */
export interface Inbox {
  push(message: Uint8Array): void;
  /** No more will come. Those that wait are still read; an error is thrown after them. */
  end(error?: Error): void;
  readonly messages: AsyncIterable<Uint8Array>;
}

interface Waiter {
  readonly resolve: (result: IteratorResult<Uint8Array>) => void;
  readonly reject: (error: Error) => void;
}

const finished: IteratorResult<Uint8Array> = { done: true, value: undefined };

/** `onTaken` receives the read bytes, several messages at a time. */
export function createInbox(onTaken: (bytes: number) => void): Inbox {
  let queue: Uint8Array[] = [];
  let head = 0;
  let taken = 0;
  let ended = false;
  let failure: Error | undefined;
  const waiters: Waiter[] = [];

  function take(message: Uint8Array): IteratorResult<Uint8Array> {
    taken += toCost(message);
    if (taken >= windowBytes / 2 && !ended) {
      onTaken(taken);
      taken = 0;
    }
    return { done: false, value: message };
  }
  function next(): Promise<IteratorResult<Uint8Array>> {
    const message = queue[head];
    if (message !== undefined) {
      head += 1;
      if (head === queue.length) {
        queue = [];
        head = 0;
      }
      return Promise.resolve(take(message));
    }
    if (!ended) return new Promise((resolve, reject) => waiters.push({ resolve, reject }));
    const error = failure;
    failure = undefined;
    return error === undefined ? Promise.resolve(finished) : Promise.reject(error);
  }
  function end(error?: Error): void {
    if (ended) return;
    ended = true;
    failure = error;
    for (const waiter of waiters.splice(0)) {
      if (failure === undefined) waiter.resolve(finished);
      else waiter.reject(failure);
      failure = undefined;
    }
  }
  function stop(): Promise<IteratorResult<Uint8Array>> {
    queue = [];
    head = 0;
    end();
    failure = undefined;
    return Promise.resolve(finished);
  }
  return {
    push: (message) => {
      if (ended) return;
      const waiter = waiters.shift();
      if (waiter === undefined) queue.push(message);
      else waiter.resolve(take(message));
    },
    end,
    messages: { [Symbol.asyncIterator]: () => ({ next, return: stop }) },
  };
}
