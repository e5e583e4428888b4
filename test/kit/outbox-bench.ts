/** What the suites of the outbox share: a bench on a memory store with a fixed clock, and senders that do as told. */
import assert from "node:assert/strict";
import { createLog } from "../../src/kit/observe/log.ts";
import type { MailMessage, MailOutcome, MailSender } from "../../src/kit/mail/mail.ts";
import { type Outbox, type OutboxDeps, createOutbox } from "../../src/records/outbox.ts";
import { type OutboxRecord, outboxCollection } from "../../src/records/outbox-record.ts";
import type { MailOutcomes } from "../../src/records/watched-sender.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const sent = { status: "sent" } as const satisfies MailOutcome;
export const busy = {
  status: "temporary",
  reason: "The SMTP server cannot accept the email at the moment (450)",
} as const satisfies MailOutcome;
export const unknown = {
  status: "permanent",
  reason: "The SMTP server rejected the recipient: 550",
} as const satisfies MailOutcome;

/** A sender that gives the outcomes in turn, the last one again and again. */
export function createFakeSender(
  ...outcomes: MailOutcome[]
): MailSender & { mails: MailMessage[]; most: number } {
  let atOnce = 0;
  const sender = {
    mails: [] as MailMessage[],
    most: 0,
    send: async (message: MailMessage): Promise<MailOutcome> => {
      atOnce += 1;
      sender.most = Math.max(sender.most, atOnce);
      const number = sender.mails.push(message);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      return outcomes[Math.min(number, outcomes.length) - 1] ?? sent;
    },
    close: () => undefined,
  };
  return sender;
}

/** An outbox and what it works with. */
export interface Bench {
  readonly store: Store;
  readonly clock: FixedClock;
  readonly outbox: Outbox;
  readonly lines: string[];
  sender: MailSender | undefined;
}

/** Creates one on a memory store; two on one store act as two processes. */
export function createBench(
  sender?: MailSender,
  options: {
    store?: Store;
    clock?: FixedClock;
    secret?: string;
    outcomes?: MailOutcomes;
    rules?: Pick<OutboxDeps, "maxTries" | "gate">;
  } = {},
): Bench {
  const clock = options.clock ?? createFixedClock();
  const store = options.store ?? createMemoryStore({ collections: [outboxCollection] });
  const lines: string[] = [];
  const log = createLog({ level: "debug", clock, write: (text) => lines.push(text) });
  const box = createSecretBox(options.secret ?? "a secret of at least 32 characters");
  const bench: Bench = {
    store,
    clock,
    lines,
    sender,
    outbox: createOutbox({
      ...{ store, clock, log, box, outcomes: options.outcomes, ...options.rules },
      sender: () => bench.sender,
    }),
  };
  return bench;
}

export type Mail = Parameters<Outbox["enqueue"]>[1];

/** Writes a mail in a transaction of its own. */
export async function enqueue({ store, outbox }: Bench, mail: Partial<Mail> = {}): Promise<void> {
  const whole = {
    to: "ada@example.org",
    subject: "Your code",
    text: "Code 1234 5678",
    kind: "code",
    ...mail,
  };
  await store.transact((tx) => outbox.enqueue(tx, whole));
}

/** All records, by id. */
export async function stored({ store }: Bench): Promise<readonly OutboxRecord[]> {
  return (await store.read((tx) => tx.list(outboxCollection, "id", { limit: 1_000 }))).items;
}

/** The one record that there is. */
export async function only(bench: Bench): Promise<OutboxRecord> {
  const [record, ...others] = await stored(bench);
  assert.ok(record !== undefined && others.length === 0);
  return record;
}
