/** Readers of the chat at other processes: a lease of some seconds for each user, renewed while they wait. */
import { z } from "zod";
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";

const RENEW_MS = 2_000;
const LEASE_MS = 7_000;
/** Changes of a moment are announced together. */
const GATHER_MS = 50;
/** Users of one message: their ids are 600 bytes at most. */
const PART = 1_000;
const TOPIC = "waiting";
const HELLO = "waiting-hello";

/** Users, and whether they wait. */
const messageSchema = z.array(z.tuple([z.string().max(600), z.boolean()])).max(PART);

interface PresenceDeps {
  readonly bus: Bus | undefined;
  readonly clock: Pick<Clock, "monotonic">;
  /** Ids of the users who wait in this process. */
  readonly users: () => readonly string[];
}

export type Presence = ReturnType<typeof sharePresence>;

/** The presence of a process that shares its bus with others. */
function sharePresence({ bus, clock, users }: PresenceDeps & { bus: Bus }) {
  /** When the leases of each user end, by process; monotonic milliseconds. */
  const leases = new Map<string, Map<string, number>>();
  let announced: ReadonlySet<string> = new Set();
  let nextMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  function announce(isRenewal: boolean): void {
    clearTimeout(timer);
    timer = undefined;
    const here = new Set(isClosed ? [] : users());
    const came = [...here].filter((id) => isRenewal || !announced.has(id));
    const gone = [...announced].filter((id) => !here.has(id));
    announced = here;
    if (isRenewal) nextMs = clock.monotonic() + RENEW_MS;
    const all = [...came.map((id) => [id, true]), ...gone.map((id) => [id, false])];
    for (let at = 0; at < all.length; at += PART) bus.publish(TOPIC, all.slice(at, at + PART));
  }

  function announceSoon(isRenewal: boolean): void {
    if (isRenewal) nextMs = 0;
    if (!isClosed) timer ??= setTimeout(() => announce(clock.monotonic() >= nextMs), GATHER_MS);
  }

  /** Requests the readers of other processes, and announces those here. */
  function greet(): void {
    bus.publish(HELLO, {});
    announceSoon(true);
  }

  const ends = [
    bus.subscribe(TOPIC, (message, from) => {
      const untilMs = clock.monotonic() + LEASE_MS;
      for (const [id, isHere] of messageSchema.parse(message)) {
        const ofUser = leases.get(id) ?? new Map<string, number>();
        leases.set(id, ofUser);
        if (isHere) ofUser.set(from, untilMs);
        else ofUser.delete(from);
      }
    }),
    bus.subscribe(HELLO, () => announceSoon(true)),
    bus.onConnection((isConnected) => {
      if (isConnected) greet();
    }),
  ];
  greet();

  return {
    /** Whether a user waits at another process. */
    isElsewhere: (userId: string): boolean =>
      [...(leases.get(userId)?.values() ?? [])].some((untilMs) => untilMs > clock.monotonic()),
    /** The users of this process changed: the others learn of it soon. */
    changed: (): void => announceSoon(false),
    /** Called each second: renews when it is time, and forgets what has ended. */
    beat: (): void => {
      const nowMs = clock.monotonic();
      for (const [id, ofUser] of leases) if (Math.max(...ofUser.values()) <= nowMs) leases.delete(id);
      if (nowMs >= nextMs && !isClosed) announce(true);
    },
    /** Announces that this process has no more waiting readers, and stops receiving. */
    close: (): void => {
      if (isClosed) return;
      isClosed = true;
      for (const end of ends) end();
      announce(false);
    },
  };
}

const nobodyElse: Presence = {
  isElsewhere: () => false,
  changed: () => undefined,
  beat: () => undefined,
  close: () => undefined,
};

/** Creates the presence of a process; without a bus, or alone on it, there are no readers elsewhere. */
export function createPresence(deps: PresenceDeps): Presence {
  const { bus } = deps;
  return bus?.isShared === true ? sharePresence({ ...deps, bus }) : nobodyElse;
}
