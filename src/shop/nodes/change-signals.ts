/** Word between the processes of the shop that something changed: names only, whoever hears them reads the store. */
import { z } from "zod";
import type { Bus } from "../../bus/bus.ts";

/** What is told: conversations, orders, products by their ids; of settings only that they changed. */
export type PokeTopic = "chat" | "orders" | "products" | "settings";

/** Ids that changed; undefined when word may have been lost, or there were too many: anything may have changed. */
export type PokeListener = (ids: readonly string[] | undefined) => void;

export interface Pokes {
  /** Tells the other processes, after the commit; it never throws, and while the bus is away nobody hears it. */
  tell(topic: PokeTopic, ids: readonly string[]): void;
  /** Calls `listener` with what other processes tell, and with undefined when the bus was away and is back. */
  hear(topic: PokeTopic, listener: PokeListener): void;
  /** Milliseconds between two looks at the store for what nobody told. */
  lookMs(): number;
  /** Sends what is gathered and hears nothing more. */
  close(): void;
}

/** Without a bus, looks are all there is. */
const LOOK_MS = 1_000;
/** With it, they only make good for lost word. */
const SELDOM_LOOK_MS = 5_000;
/** Changes of so many milliseconds are told together: somebody waits for the first kinds; a page of products may lag. */
const GATHER_MS: Readonly<Record<PokeTopic, number>> = { chat: 5, orders: 5, settings: 5, products: 100 };
/** Ids are 600 bytes at most: a message stays far below the bus's limit. */
const MAX_IDS = 500;

const pokeSchema = z.object({ ids: z.array(z.string().max(600)).max(MAX_IDS).optional() });

/** What one process gathers for one topic. */
interface Gathered {
  readonly ids: Set<string>;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** Makes the word of a process; without a bus, or alone on it, nothing is sent. */
export function createPokes(bus: Bus | undefined): Pokes {
  const gathered = new Map<PokeTopic, Gathered>();
  const ends: (() => void)[] = [];

  function send(topic: PokeTopic): void {
    const found = gathered.get(topic);
    if (found === undefined) return;
    clearTimeout(found.timer);
    gathered.delete(topic);
    const ids = [...found.ids];
    bus?.publish(topic, ids.length > MAX_IDS ? {} : { ids });
  }

  return {
    tell: (topic, ids) => {
      if (bus?.isShared !== true) return;
      const known = gathered.get(topic)?.ids;
      const all = known ?? new Set<string>();
      for (const id of ids) all.add(id);
      if (known !== undefined) return;
      gathered.set(topic, { ids: all, timer: setTimeout(() => send(topic), GATHER_MS[topic]) });
    },
    hear: (topic, listener) => {
      if (bus?.isShared !== true) return;
      ends.push(
        bus.subscribe(topic, (message) => listener(pokeSchema.parse(message).ids)),
        bus.onConnection((isConnected) => {
          if (isConnected) listener(undefined);
        }),
      );
    },
    lookMs: () => (bus?.isShared === true && bus.isConnected ? SELDOM_LOOK_MS : LOOK_MS),
    close: () => {
      for (const topic of [...gathered.keys()]) send(topic);
      for (const end of ends.splice(0)) end();
    },
  };
}
