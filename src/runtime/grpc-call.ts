/**
 * What both gRPC listeners share: the address behind a peer's name, and a handler's responses watched
 * to their end. Hidden here: the ways in which an async iterator can end.
 */

/** "1.2.3.4:5" or "[::1]:5" or "::ffff:1.2.3.4:5" → the address alone, IPv4 in its short form. */
export function toRemoteAddress(peer: string): string {
  const end = peer.lastIndexOf(":");
  const host = end < 0 ? peer : peer.slice(0, end);
  const bare = host.replace(/^\[|\]$/gu, "").replace(/%.*$/u, "");
  return bare.replace(/^::ffff:(?=\d+\.)/iu, "");
}

/** Where {@link watchResponses} reports. */
export interface ResponseWatcher {
  /** Turns what the handler threw into what the caller of the iterator shall see. */
  readonly toError: (error: unknown) => unknown;
  /** Called once, when no more responses will come. */
  readonly onEnd: () => void;
}

/**
 * The responses of a handler, each passed on as it is. A plain object and not a generator: this runs
 * for every message, and a generator would add two promises to each.
 */
export function watchResponses(
  responses: AsyncIterable<Uint8Array>,
  watcher: ResponseWatcher,
): AsyncIterableIterator<Uint8Array> {
  const inner = responses[Symbol.asyncIterator]();
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    watcher.onEnd();
  };
  const onResult = (result: IteratorResult<Uint8Array>): IteratorResult<Uint8Array> => {
    if (result.done === true) end();
    return result;
  };
  const onError = (error: unknown): never => {
    end();
    throw watcher.toError(error);
  };
  const finish = async (): Promise<IteratorResult<Uint8Array>> => {
    end();
    await inner.return?.();
    return { done: true, value: undefined };
  };
  return {
    next: () => inner.next().then(onResult, onError),
    return: () => finish().catch(onError),
    throw: (error: unknown) => finish().then(() => onError(error), onError),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
