/** Who waits for news of the chat at other processes. */
import { z } from "zod";
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";

export interface Presence {
  /** Whether another process said lately that this user waits there. */
  isElsewhere(userId: string): boolean;
  /** The users of this process changed: the others hear of it soon. */
  changed(): void;
  /** Called each second: tells the others when it is time. */
  beat(): void;
  /** Tells the others that nobody waits here any more, and hears nothing more. */
  close(): void;
}

/** How often all users are told although nothing changed. */
const TELL_MS = 2_000;
/** A process that told nothing for so long is gone, or cannot be heard. */
const SILENT_MS = 7_000;
/** Changes of a moment are told together. */
const GATHER_MS = 50;
/** Beyond it changes wait for the next time that all are told. */
const FEW_USERS = 500;
/** Users of one message: their ids are 600 bytes at most. */
const PART = 1_000;
const TOPIC = "presence";
const HELLO = "presence-hello";

const messageSchema = z.object({
  /** Grows with each telling of a process. */
  number: z.int(),
  part: z.int().min(0),
  parts: z.int().min(1).max(1_000),
  users: z.array(z.string().max(600)).max(PART),
});
type Message = z.infer<typeof messageSchema>;

/** What is known of one other process. */
interface Other {
  heardMs: number;
  users: ReadonlySet<string>;
  /** A telling of which parts are still to come. */
  coming: { readonly number: number; readonly parts: Map<number, readonly string[]> } | undefined;
}

/** Takes one message in; users count when all of their parts are there. */
function take(other: Other, { number, part, parts, users }: Message): void {
  if (other.coming?.number !== number) other.coming = { number, parts: new Map() };
  other.coming.parts.set(part, users);
  if (other.coming.parts.size < parts) return;
  other.users = new Set([...other.coming.parts.values()].flat());
  other.coming = undefined;
}

class SharedPresence implements Presence {
  readonly #bus: Bus;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #users: () => readonly string[];
  readonly #others = new Map<string, Other>();
  readonly #ends: (() => void)[];
  #number = 0;
  #nextMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor({ bus, clock, users }: PresenceDeps & { readonly bus: Bus }) {
    this.#bus = bus;
    this.#clock = clock;
    this.#users = users;
    this.#ends = [
      bus.subscribe(TOPIC, (message, from) => this.#hear(messageSchema.parse(message), from)),
      bus.subscribe(HELLO, () => this.changed()),
      bus.onConnection((isConnected) => {
        if (isConnected) this.#greet();
      }),
    ];
    this.#greet();
  }

  isElsewhere(userId: string): boolean {
    const sinceMs = this.#clock.monotonic() - SILENT_MS;
    for (const { heardMs, users } of this.#others.values())
      if (heardMs > sinceMs && users.has(userId)) return true;
    return false;
  }

  changed(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#users().length > FEW_USERS) return;
    this.#timer = setTimeout(() => this.#tell(this.#users()), GATHER_MS);
  }

  beat(): void {
    const nowMs = this.#clock.monotonic();
    for (const [node, { heardMs }] of this.#others)
      if (nowMs - heardMs >= SILENT_MS) this.#others.delete(node);
    if (nowMs >= this.#nextMs && !this.#isClosed) this.#tell(this.#users());
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const end of this.#ends) end();
    this.#tell([]);
  }

  /** Asks the others who is there, and says it. */
  #greet(): void {
    this.#bus.publish(HELLO, {});
    this.changed();
  }

  #hear(message: Message, from: string): void {
    const other = this.#others.get(from) ?? { heardMs: 0, users: new Set(), coming: undefined };
    other.heardMs = this.#clock.monotonic();
    take(other, message);
    this.#others.set(from, other);
  }

  #tell(users: readonly string[]): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#nextMs = this.#clock.monotonic() + TELL_MS;
    this.#number += 1;
    const parts = Math.max(1, Math.ceil(users.length / PART));
    for (let part = 0; part < parts; part += 1) {
      const some = users.slice(part * PART, (part + 1) * PART);
      this.#bus.publish(TOPIC, { number: this.#number, part, parts, users: some } satisfies Message);
    }
  }
}

export interface PresenceDeps {
  readonly bus: Bus | undefined;
  readonly clock: Pick<Clock, "monotonic">;
  /** Ids of the users who wait in this process. */
  readonly users: () => readonly string[];
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
