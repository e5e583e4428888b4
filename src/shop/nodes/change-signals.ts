/** Signals between shop processes that something changed. They carry ids only; the receiver reads the store. */
import { z } from "zod";
import type { Bus } from "../../bus/bus.ts";

/** Changes to signal: conversations, orders and products, by ID; settings as a whole. */
export type SignalTopic = "chat" | "orders" | "products" | "settings";

/** Changed ids; undefined when signals may have been lost or there were too many: anything may have changed. */
export type SignalListener = (ids: readonly string[] | undefined) => void;

/** Without a bus, reading the store is the only way. */
const POLL_MS = 1_000;
/** With a bus, reads only make up for lost signals. */
const SELDOM_POLL_MS = 5_000;
/** Changes within this time are sent together. People wait for the first kinds; a page of products may lag. */
const GATHER_MS: Readonly<Record<SignalTopic, number>> = { chat: 5, orders: 5, settings: 5, products: 100 };
/** Ids are 600 bytes at most: a message stays far below the bus's limit. */
const MAX_IDS = 500;

const signalSchema = z.object({ ids: z.array(z.string().max(600)).max(MAX_IDS).optional() });

export type ChangeSignals = ReturnType<typeof createChangeSignals>;

/** Creates the signals of a process; without a bus, or alone on it, nothing is sent. */
export function createChangeSignals(bus: Bus | undefined) {
  const gathered = new Map<SignalTopic, { ids: Set<string>; timer: ReturnType<typeof setTimeout> }>();
  const ends: (() => void)[] = [];

  function flush(topic: SignalTopic): void {
    const found = gathered.get(topic);
    if (found === undefined) return;
    clearTimeout(found.timer);
    gathered.delete(topic);
    const ids = [...found.ids];
    bus?.publish(topic, ids.length > MAX_IDS ? {} : { ids });
  }

  return {
    /** Signals the other processes; call it after the commit. Never throws; lost while the bus is unavailable. */
    send: (topic: SignalTopic, ids: readonly string[]): void => {
      if (bus?.isShared !== true) return;
      const known = gathered.get(topic)?.ids;
      const all = known ?? new Set<string>();
      for (const id of ids) all.add(id);
      if (known !== undefined) return;
      gathered.set(topic, { ids: all, timer: setTimeout(() => flush(topic), GATHER_MS[topic]) });
    },
    /** Calls `listener` with signals of other processes, and with undefined when the bus has reconnected. */
    listen: (topic: SignalTopic, listener: SignalListener): void => {
      if (bus?.isShared !== true) return;
      ends.push(
        bus.subscribe(topic, (message) => listener(signalSchema.parse(message).ids)),
        bus.onConnection((isConnected) => {
          if (isConnected) listener(undefined);
        }),
      );
    },
    /** Milliseconds between two reads of the store for changes without a signal. */
    pollMs: (): number => (bus?.isShared === true && bus.isConnected ? SELDOM_POLL_MS : POLL_MS),
    /** Sends what is gathered and stops listening. */
    close: (): void => {
      for (const topic of [...gathered.keys()]) flush(topic);
      for (const end of ends.splice(0)) end();
    },
  };
}
