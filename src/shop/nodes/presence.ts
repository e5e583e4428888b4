/** Who waits for news of the chat at other processes. */
import { z } from "zod";
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";

/** How often all users are announced although nothing changed. */
const ANNOUNCE_MS = 2_000;
/** A process that was silent for so long is gone or cannot be reached. */
const SILENT_MS = 7_000;
/** Changes of a moment are announced together. */
const GATHER_MS = 50;
/** With more users, changes wait for the next announcement. */
const FEW_USERS = 500;
/** Users of one message: their ids are 600 bytes at most. */
const PART = 1_000;
const TOPIC = "presence";
const HELLO = "presence-hello";

const messageSchema = z.object({
  /** Grows with each announcement of a process. */
  number: z.int(),
  part: z.int().min(0),
  parts: z.int().min(1).max(1_000),
  users: z.array(z.string().max(600)).max(PART),
});
type Message = z.infer<typeof messageSchema>;

/** What is known of one other process. */
interface Peer {
  receivedMs: number;
  users: ReadonlySet<string>;
  /** An announcement of which parts are still to come. */
  coming: { readonly number: number; readonly parts: Map<number, readonly string[]> } | undefined;
}

/** Takes one message in; users count when all of their parts are there. */
function take(peer: Peer, { number, part, parts, users }: Message): void {
  if (peer.coming?.number !== number) peer.coming = { number, parts: new Map() };
  peer.coming.parts.set(part, users);
  if (peer.coming.parts.size < parts) return;
  peer.users = new Set([...peer.coming.parts.values()].flat());
  peer.coming = undefined;
}

interface PresenceDeps {
  readonly bus: Bus | undefined;
  readonly clock: Pick<Clock, "monotonic">;
  /** Ids of the users who wait in this process. */
  readonly users: () => readonly string[];
}

export type Presence = Pick<SharedPresence, "isElsewhere" | "changed" | "beat" | "close">;

/** The presence of a process that shares its bus with others. */
class SharedPresence {
  readonly #bus: Bus;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #users: () => readonly string[];
  readonly #peers = new Map<string, Peer>();
  readonly #ends: (() => void)[];
  #number = 0;
  #nextMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor({ bus, clock, users }: PresenceDeps & { bus: Bus }) {
    this.#bus = bus;
    this.#clock = clock;
    this.#users = users;
    this.#ends = [
      bus.subscribe(TOPIC, (message, from) => this.#receive(messageSchema.parse(message), from)),
      bus.subscribe(HELLO, () => this.changed()),
      bus.onConnection((isConnected) => {
        if (isConnected) this.#greet();
      }),
    ];
    this.#greet();
  }

  /** Whether another process said lately that this user waits there. */
  isElsewhere(userId: string): boolean {
    const sinceMs = this.#clock.monotonic() - SILENT_MS;
    for (const { receivedMs, users } of this.#peers.values())
      if (receivedMs > sinceMs && users.has(userId)) return true;
    return false;
  }

  /** The users of this process changed: the others learn of it soon. */
  changed(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#users().length > FEW_USERS) return;
    this.#timer = setTimeout(() => this.#announce(this.#users()), GATHER_MS);
  }

  /** Called each second: announces the users when it is time. */
  beat(): void {
    const nowMs = this.#clock.monotonic();
    for (const [node, { receivedMs }] of this.#peers)
      if (nowMs - receivedMs >= SILENT_MS) this.#peers.delete(node);
    if (nowMs >= this.#nextMs && !this.#isClosed) this.#announce(this.#users());
  }

  /** Announces that nobody waits here any more, and receives nothing more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const end of this.#ends) end();
    this.#announce([]);
  }

  /** Asks the others who is there, and announces who is here. */
  #greet(): void {
    this.#bus.publish(HELLO, {});
    this.changed();
  }

  #receive(message: Message, from: string): void {
    const peer = this.#peers.get(from) ?? { receivedMs: 0, users: new Set(), coming: undefined };
    peer.receivedMs = this.#clock.monotonic();
    take(peer, message);
    this.#peers.set(from, peer);
  }

  #announce(users: readonly string[]): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#nextMs = this.#clock.monotonic() + ANNOUNCE_MS;
    this.#number += 1;
    const parts = Math.max(1, Math.ceil(users.length / PART));
    for (let part = 0; part < parts; part += 1) {
      const some = users.slice(part * PART, (part + 1) * PART);
      this.#bus.publish(TOPIC, { number: this.#number, part, parts, users: some } satisfies Message);
    }
  }
}

const nobodyElse: Presence = {
  isElsewhere: () => false,
  changed: () => undefined,
  beat: () => undefined,
  close: () => undefined,
};

/** Makes the presence of a process; without a bus, or alone on it, nobody is elsewhere. */
export function createPresence(deps: PresenceDeps): Presence {
  const { bus } = deps;
  return bus?.isShared === true ? new SharedPresence({ ...deps, bus }) : nobodyElse;
}
