/** What the suites of notices share: an outbox on a memory store with a fixed clock, and receivers on this machine. */
import assert from "node:assert/strict";
import { createLog } from "../../../src/kit/observe/log.ts";
import { newId } from "../../../src/kit/secrets/id.ts";
import { channelInputSchema, type NoticeRecord } from "../../../src/monitor/channels/schema.ts";
import type { AddressedNotice } from "../../../src/monitor/channels/notification.ts";
import { type NotifyDeps, type Notifying, createNotifying } from "../../../src/monitor/channels/notifying.ts";
import { notices as noticeCollection } from "../../../src/monitor/channels/records.ts";
import type { Store } from "../../../src/store/store.ts";
import { type Receiver, startReceiver } from "../../kit/outbound-receiver.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { actor, createTestStore } from "../fixtures.ts";
import { createTestNotify } from "./notify-fixture.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;

export interface Bench extends Notifying {
  readonly store: Store;
  readonly clock: FixedClock;
  readonly lines: string[];
  /** Creates a channel and returns its ID. */
  addChannel(input: object): Promise<string>;
  /** Writes a notice in a transaction of its own. */
  tell(notice: Partial<AddressedNotice> & { channelIds: readonly string[] }): Promise<void>;
  /** All notices, the oldest first. */
  stored(): Promise<readonly NoticeRecord[]>;
}

/** Creates one; two on one store act as two processes. */
export function createBench(
  options: {
    store?: Store;
    clock?: FixedClock;
    notify?: NotifyDeps;
    rules?: readonly string[];
    isSender?: boolean;
  } = {},
): Bench {
  const clock = options.clock ?? createFixedClock();
  const store = options.store ?? createTestStore();
  const lines: string[] = [];
  const log = createLog({ level: "debug", clock, write: (text) => lines.push(text) });
  const notifying = createNotifying({
    store,
    clock,
    log,
    ...(options.notify ?? createTestNotify()),
    isSender: () => options.isSender ?? true,
    findRules: () => Promise.resolve((options.rules ?? []).map((name) => ({ id: `rul_${name}`, name }))),
  });
  return {
    ...notifying,
    store,
    clock,
    lines,
    addChannel: async (input) => {
      const parsed = channelInputSchema.parse({ name: "one", ...input });
      return (await notifying.channels.create(parsed, actor)).id;
    },
    tell: (notice) =>
      store.transact((tx) =>
        notifying.notices.enqueue(tx, {
          kind: "firing",
          severity: "critical",
          title: "Web 1 is offline",
          text: "Nothing was heard of it",
          key: newId("inc"),
          ...notice,
        }),
      ),
    stored: async () =>
      (await store.read((tx) => tx.list(noticeCollection, "byTime", { limit: 1_000 }))).items,
  };
}

const opened: Receiver[] = [];

/** A receiver on this machine that {@link closeReceivers} closes. */
export async function openReceiver(): Promise<Receiver> {
  const peer = await startReceiver();
  opened.push(peer);
  return peer;
}

/** One that gives the statuses in turn, the last one again and again. */
export async function receiverOf(...statuses: number[]): Promise<Receiver> {
  const peer = await openReceiver();
  peer.answer((_request, response) => {
    const status = statuses[Math.min(peer.requests.length, statuses.length) - 1] ?? 200;
    response.writeHead(status).end(status === 200 ? "ok" : `no: ${status}`);
  });
  return peer;
}

/** Closes what a test opened. */
export async function closeReceivers(): Promise<void> {
  await Promise.all(opened.splice(0).map((peer) => peer.close()));
}

/** A channel to a receiver. */
export function gotify(peer: Receiver): object {
  return { type: "gotify", serverUrl: peer.origin, token: "AbCdEfGh.1234" };
}

/** The one notice that there is. */
export async function only(bench: Bench): Promise<NoticeRecord> {
  const [record, ...more] = await bench.stored();
  assert.ok(record !== undefined && more.length === 0);
  return record;
}
