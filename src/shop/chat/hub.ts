/** Waiting readers of the chat in this process. */
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";

/** Streams and waiting requests at once. */
const MAX_FOR_USER = 5;
const MAX_FOR_ADMINS = 100;
const RETRY_AFTER_SECONDS = 5;

/** Whose news: one user's, or all. */
export type Listener = { readonly kind: "user"; readonly userId: string } | { readonly kind: "admin" };

/** A waiting reader's slot. */
export class Place {
  readonly listener: Listener;
  readonly #onRelease: (place: Place) => void;
  #hasNews = false;
  #untilMs = Number.POSITIVE_INFINITY;
  #resolve: (() => void) | undefined;
  /** True from when the place was given back or the service stops. */
  isOver = false;

  constructor(listener: Listener, onRelease: (place: Place) => void) {
    this.listener = listener;
    this.#onRelease = onRelease;
  }

  /** Resolves at news since the last call, at the first beat from `untilMs` (monotonic) on, or when it is over. */
  wait(untilMs: number): Promise<void> {
    if (this.#hasNews || this.isOver) {
      this.#hasNews = false;
      return Promise.resolve();
    }
    this.#untilMs = untilMs;
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  #go(): void {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.();
  }

  wake(): void {
    // Without a waiting reader, news is kept as one bit: the next read finds everything in the store.
    if (this.#resolve === undefined) this.#hasNews = true;
    else this.#go();
  }

  beat(nowMs: number): void {
    if (nowMs >= this.#untilMs) this.#go();
  }

  /** Releases the slot, and wakes up a waiting reader. */
  release(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#onRelease(this);
    this.#go();
  }
}

const USER = "user:";

/** Key of a listener; a user's id cannot pose as the administrators'. */
function toKey(listener: Listener): string {
  return listener.kind === "admin" ? "admin" : `${USER}${listener.userId}`;
}

function refuseMore({ kind }: Listener): void {
  const most = kind === "admin" ? MAX_FOR_ADMINS : MAX_FOR_USER;
  throw new AppError("rate_limited", `You can have up to ${most} open streams. Close one first`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

export type ChatHub = ReturnType<typeof createChatHub>;

/** Creates the hub of a process; `onUsers` is called when a user's first place is taken, or the last one given back. */
export function createChatHub(clock: Pick<Clock, "monotonic">, onUsers: () => void = () => undefined) {
  const places = new Map<string, Set<Place>>();
  let isClosed = false;

  function onRelease(place: Place): void {
    const key = toKey(place.listener);
    const group = places.get(key);
    group?.delete(place);
    if (group?.size !== 0) return;
    places.delete(key);
    onUsers();
  }

  function wakeGroup(key: string): void {
    for (const place of places.get(key) ?? []) place.wake();
  }

  return {
    /**
     * Reserves a slot. Throws `rate_limited` when the listener has all of theirs, `unavailable` once the hub is
     * closed.
     */
    take: (listener: Listener): Place => {
      if (isClosed)
        throw new AppError("unavailable", "The service is shutting down", {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      const key = toKey(listener);
      const group = places.get(key) ?? new Set<Place>();
      if (group.size >= (listener.kind === "admin" ? MAX_FOR_ADMINS : MAX_FOR_USER)) refuseMore(listener);
      const place = new Place(listener, onRelease);
      group.add(place);
      places.set(key, group);
      if (group.size === 1) onUsers();
      return place;
    },
    /** Whether a user has a place in this process. */
    isPresent: (userId: string): boolean => places.has(`${USER}${userId}`),
    /** Whether an administrator has one. */
    isStaffed: (): boolean => places.has("admin"),
    /** Users with places in this process. */
    users: (): string[] =>
      [...places.keys()].filter((key) => key.startsWith(USER)).map((key) => key.slice(USER.length)),
    /** Places that are taken in this process. */
    count: (): number => [...places.values()].reduce((sum, group) => sum + group.size, 0),
    /** Wakes the readers of one conversation; without an ID, all. */
    wake: (userId?: string): void => {
      if (userId === undefined) {
        for (const key of places.keys()) wakeGroup(key);
        return;
      }
      wakeGroup(`${USER}${userId}`);
      wakeGroup("admin");
    },
    /** Wakes those whose time has come. */
    beat: (): void => {
      const now = clock.monotonic();
      for (const group of places.values()) for (const place of group) place.beat(now);
    },
    /** Ends all places, now and from now on. */
    close: (): void => {
      isClosed = true;
      for (const group of places.values()) for (const place of [...group]) place.release();
    },
  };
}
