/** The server of the bus that nodes share: it loses messages, repeats them, parts nodes, and goes away. */
import type { Kernel } from "../kernel/kernel.ts";
import type { Owner } from "../kernel/owner.ts";
import { type Random, createRandom } from "../kernel/random.ts";
import { onEndOf } from "./computer.ts";
import { Pipe } from "./pipe.ts";

export interface BusTrouble {
  /** Probability that a message never arrives, and that it arrives again. */
  losses: number;
  repeats: number;
  /** Mean time of a message, in milliseconds. */
  wayMs: number;
  isDown: boolean;
  /** Names of machines that hear nothing of the others. */
  readonly parted: Set<string>;
}

export const calmBus = (): BusTrouble => ({
  losses: 0,
  repeats: 0,
  wayMs: 0.5,
  isDown: false,
  parted: new Set(),
});

interface Message {
  readonly subject: string;
  readonly data: Uint8Array;
}

export type MessageCallback = (error: Error | null, message: { readonly data: Uint8Array }) => void;

/** Of a process: the names of its machine's processes end with "#" and a number. */
export const machineOf = ({ name }: Owner): string => name.split("#")[0] ?? name;

/** A process on the bus. */
export class BusMember {
  readonly owner: Owner;
  readonly subscriptions = new Map<string, Set<MessageCallback>>();
  readonly pipe: Pipe<Message>;
  readonly closed: Promise<void>;
  isClosed = false;
  #close: () => void = () => undefined;

  constructor(kernel: Kernel, delayMs: () => number) {
    this.owner = kernel.owner;
    this.closed = new Promise((resolve) => (this.#close = resolve));
    this.pipe = new Pipe(kernel, {
      to: this.owner,
      delayMs,
      deliver: ({ subject, data }) => {
        for (const callback of this.subscriptions.get(subject) ?? []) callback(null, { data });
      },
    });
  }

  /** Call it as the process. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.pipe.cut();
    this.#close();
  }
}

export class BusServer {
  trouble = calmBus();
  readonly #kernel: Kernel;
  readonly #random: Random;
  readonly #members = new Set<BusMember>();
  messages = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#random = createRandom(kernel.seed, "bus");
  }

  /** Joins the process that runs. @throws Error while the server is away */
  join(): BusMember {
    if (this.trouble.isDown) throw new Error("connection refused");
    const member = new BusMember(this.#kernel, () => this.#random.wait(this.trouble.wayMs));
    this.#members.add(member);
    onEndOf(member.owner, () => this.#members.delete(member));
    return member;
  }

  leave(member: BusMember): void {
    this.#members.delete(member);
  }

  /** Sends to all others. */
  publish(from: BusMember, message: Message): void {
    const { losses, repeats, parted } = this.trouble;
    this.messages += 1;
    const isCut = parted.has(machineOf(from.owner));
    for (const member of this.#members) {
      if (member === from || member.isClosed || isCut || parted.has(machineOf(member.owner))) continue;
      if (this.#random.chance(losses)) continue;
      member.pipe.send(message);
      if (this.#random.chance(repeats)) member.pipe.send(message);
    }
  }

  /** The server goes away: all members learn it. */
  goAway(): void {
    this.trouble.isDown = true;
    for (const member of this.#members)
      this.#kernel.after(this.#random.wait(20), () => member.close(), { owner: member.owner });
    this.#members.clear();
  }

  calm(): void {
    this.trouble = calmBus();
  }
}
