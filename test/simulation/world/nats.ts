/** In place of the client of NATS: a connection to the simulated bus. */
import { getWorld } from "../kernel/current.ts";
import type { BusMember, BusServer, MessageCallback } from "./bus-server.ts";

const CONNECT_MS = 5;

class Connection {
  readonly #server: BusServer;
  readonly #member: BusMember;

  constructor(server: BusServer, member: BusMember) {
    this.#server = server;
    this.#member = member;
  }

  publish(subject: string, data: Uint8Array): void {
    // The bytes may be those of a buffer that is used again.
    this.#server.publish(this.#member, { subject, data: data.slice() });
  }

  subscribe(subject: string, { callback }: { readonly callback: MessageCallback }): { unsubscribe(): void } {
    const { subscriptions } = this.#member;
    const callbacks = subscriptions.get(subject) ?? new Set();
    subscriptions.set(subject, callbacks.add(callback));
    return { unsubscribe: () => void callbacks.delete(callback) };
  }

  isClosed(): boolean {
    return this.#member.isClosed;
  }

  closed(): Promise<void> {
    return this.#member.closed;
  }

  flush(): Promise<void> {
    const { kernel } = getWorld();
    return new Promise((resolve) => void kernel.after(CONNECT_MS, resolve, { owner: this.#member.owner }));
  }

  async drain(): Promise<void> {
    await this.flush();
    await this.close();
  }

  async close(): Promise<void> {
    this.#server.leave(this.#member);
    this.#member.close();
  }

  /** Nothing is refused: there is nothing to tell until the end. */
  status(): AsyncIterable<never> {
    const next = async (): Promise<IteratorReturnResult<undefined>> => {
      await this.#member.closed;
      return { done: true, value: undefined };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }
}

export async function connect(): Promise<Connection> {
  const { kernel, bus } = getWorld();
  const { owner } = kernel;
  await new Promise<void>((resolve) => void kernel.after(CONNECT_MS, resolve, { owner }));
  if (bus === undefined) throw new Error("There is no bus in this world");
  return new Connection(bus, bus.join());
}
