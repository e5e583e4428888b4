/**
 * Mails as records: written in the transaction of what they tell of, delivered later, at least once. Hidden
 * here: how their texts are sealed, who may send one (a claim that ends by itself), when one is tried again,
 * and when it goes. `outbox-delivery.ts` does the sending.
 */
import { z } from "zod";
import type { Page, Store, Tx } from "../store/store.ts";
import { defineCollection } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { AppError } from "./errors.ts";
import { newId } from "./id.ts";
import type { Log } from "./log.ts";
import type { MailMessage, MailOutcome, MailSender } from "./mail.ts";
import { isMailAddress, isMailLine } from "./mail.ts";
import type { Claim, Delivery, MailQueue } from "./outbox-delivery.ts";
import { createDelivery } from "./outbox-delivery.ts";
import type { SecretBox } from "./secret-box.ts";
import { line, timeMs } from "./text-schemas.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DEFAULT_TTL_SECONDS = 7 * 24 * 3_600;
/** How long it can be seen that a mail was sent. */
const KEEP_SENT_MS = 24 * HOUR;
/** Longer than a sending can take; after it a mail whose process died is free again. */
const CLAIM_MS = 2 * MINUTE;
/** Waits after the first, second, … failed try; the last one goes on. */
const BACK_OFF_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR] as const;
const SWEPT_AT_ONCE = 200;
const MAX_TEXT = 50_000;
const PURPOSE = "outbox";

/** "decoy": written in place of a mail that nobody may get, so that both cost the same; never sent nor listed. */
const outboxStateSchema = z.enum(["waiting", "sent", "failed", "decoy"]);
export type OutboxState = z.infer<typeof outboxStateSchema>;

export const outboxRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** What the mail is about, such as "code" or "notice". */
  kind: line(40).min(1),
  to: line(254),
  subject: line(500),
  /** The text, sealed; "" when it was sent. */
  sealedText: z.string().max(220_000),
  state: outboxStateSchema,
  /** Claims so far; one more than there were outcomes while it is on its way. */
  attempts: z.number().int().min(0),
  createdAt: timeMs,
  /** When it may be sent; while it is on its way, when its claim ends. */
  nextAttemptAt: timeMs,
  /** From here on it is not sent any more, cannot be read, and goes with the next sweep. */
  expiresAt: timeMs,
  lastError: line(200).optional(),
  sentAt: timeMs.optional(),
});
export type OutboxRecord = z.infer<typeof outboxRecordSchema>;

export const outboxCollection = defineCollection({
  name: "outbox",
  revision: 1,
  schema: outboxRecordSchema,
  ordered: {
    byDue: ["state", "nextAttemptAt"],
    byExpiresAt: ["expiresAt"],
    // Equal ones follow their ids, which sort by the time of writing.
    byState: ["state"],
  },
});

/** A mail as an administrator sees it; `text` is "" when it was sent, expired or cannot be opened. */
export type OutboxEntry = Omit<OutboxRecord, "version" | "sealedText"> & { readonly text: string };

export interface OutboxListOptions {
  /** 1 to 1,000. */
  readonly limit: number;
  readonly cursor?: string;
  readonly state?: OutboxState;
}

export interface Outbox extends Delivery {
  /**
   * Writes a mail within `tx`, good for `ttlSeconds` (default 7 days). @throws AppError `invalid` for an
   * address, subject or text that cannot be sent
   */
  enqueue(
    tx: Tx,
    mail: MailMessage & { readonly kind: string; readonly ttlSeconds?: number; readonly isDecoy?: boolean },
  ): Promise<void>;
  /** The newest first. */
  list(options: OutboxListOptions): Promise<Page<OutboxEntry>>;
  /** Makes a waiting or failed mail due now. @throws AppError `not_found` for any other */
  retry(id: string): Promise<void>;
  /** Removes up to 200 mails whose time is over and says how many. */
  sweep(): Promise<number>;
  /** Sends a mail at once, past the outbox. @throws AppError `unavailable` when no SMTP server is set */
  sendTest(message: MailMessage): Promise<MailOutcome>;
}

export interface OutboxDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly box: SecretBox;
  /** Asked before each mail; undefined while no SMTP server is set. */
  readonly sender: () => MailSender | undefined;
}

function checkMail(mail: MailMessage): void {
  const errors = [
    { pointer: "/to", isWrong: !isMailAddress(mail.to), message: "must be one plain e-mail address" },
    {
      pointer: "/subject",
      isWrong: !isMailLine(mail.subject),
      message: "must be one line of at most 500 characters",
    },
    {
      pointer: "/text",
      isWrong: mail.text.length > MAX_TEXT,
      message: `must have at most ${MAX_TEXT} characters`,
    },
  ].filter(({ isWrong }) => isWrong);
  if (errors.length === 0) return;
  throw new AppError("invalid", "The mail cannot be sent", {
    errors: errors.map(({ pointer, message }) => ({ pointer, code: "invalid", message })),
  });
}

async function enqueue(
  { clock, box }: OutboxDeps,
  tx: Tx,
  mail: Parameters<Outbox["enqueue"]>[1],
): Promise<void> {
  checkMail(mail);
  const now = clock.now();
  await tx.insert(outboxCollection, {
    id: newId("mail", now),
    kind: mail.kind,
    to: mail.to,
    subject: mail.subject,
    sealedText: box.seal(mail.text, PURPOSE),
    state: mail.isDecoy === true ? "decoy" : "waiting",
    attempts: 0,
    createdAt: now,
    nextAttemptAt: now,
    expiresAt: now + (mail.ttlSeconds ?? DEFAULT_TTL_SECONDS) * SECOND,
  });
}

/** The text, or undefined when it was sealed with another key. */
function openText(box: SecretBox, { sealedText }: OutboxRecord): string | undefined {
  try {
    return box.open(sealedText, PURPOSE);
  } catch {
    return undefined;
  }
}

/** Takes a mail for this process. A crash between this and the outcome leaves it due again when the claim ends. */
async function claim({ store, clock, box }: OutboxDeps, id: string): Promise<Claim> {
  const record = await store.transact(async (tx) => {
    const now = clock.now();
    const found = await tx.get(outboxCollection, id);
    if (found?.state !== "waiting" || found.nextAttemptAt > now) return "taken";
    if (found.expiresAt <= now) {
      await tx.remove(outboxCollection, id);
      return "expired";
    }
    const attempts = found.attempts + 1;
    return tx.put(outboxCollection, { ...found, attempts, nextAttemptAt: now + CLAIM_MS });
  });
  if (typeof record === "string") return record;
  const { kind, attempts, to, subject } = record;
  const text = openText(box, record);
  return { id, kind, attempts, message: text === undefined ? undefined : { id, to, subject, text } };
}

function afterOutcome(record: OutboxRecord, outcome: MailOutcome, now: number): OutboxRecord {
  switch (outcome.status) {
    case "sent": {
      const { lastError: _mended, ...rest } = record;
      return { ...rest, state: "sent", sealedText: "", sentAt: now, expiresAt: now + KEEP_SENT_MS };
    }
    case "permanent":
      return { ...record, state: "failed", lastError: outcome.reason };
    case "temporary": {
      const wait = BACK_OFF_MS[Math.min(record.attempts, BACK_OFF_MS.length) - 1] ?? HOUR;
      return { ...record, nextAttemptAt: now + wait, lastError: outcome.reason };
    }
  }
}

/** The records as the delivery sees them. */
function createQueue(deps: OutboxDeps): MailQueue {
  const { store, clock } = deps;
  return {
    listDue: async ({ limit, newestFirst = false }) => {
      const range = { prefix: ["waiting"], to: [clock.now() + 1], limit, reverse: newestFirst };
      return (await store.read((tx) => tx.list(outboxCollection, "byDue", range))).items;
    },
    claim: (id) => claim(deps, id),
    settle: ({ id, attempts }, outcome) =>
      store.transact(async (tx) => {
        const record = await tx.get(outboxCollection, id);
        // What was sent is sent; any other outcome counts only while no later claim has been made.
        if (record === undefined || record.state === "sent") return;
        if (outcome.status !== "sent" && record.attempts !== attempts) return;
        await tx.put(outboxCollection, afterOutcome(record, outcome, clock.now()));
      }),
  };
}

async function list(
  { store, clock, box }: OutboxDeps,
  options: OutboxListOptions,
): Promise<Page<OutboxEntry>> {
  const { state, ...rest } = options;
  const page = await store.read((tx) =>
    state === undefined
      ? tx.list(outboxCollection, "id", { ...rest, reverse: true })
      : tx.list(outboxCollection, "byState", { ...rest, prefix: [state], reverse: true }),
  );
  const now = clock.now();
  const mails = page.items.filter((record) => record.state !== "decoy");
  const items = mails.map((record) => {
    const { version: _version, sealedText, ...entry } = record;
    const isGone = sealedText === "" || record.expiresAt <= now;
    return { ...entry, text: isGone ? "" : (openText(box, record) ?? "") };
  });
  return page.nextCursor === undefined ? { items } : { items, nextCursor: page.nextCursor };
}

async function retry({ store, clock }: OutboxDeps, id: string): Promise<void> {
  await store.transact(async (tx) => {
    const now = clock.now();
    const record = await tx.get(outboxCollection, id);
    const isOver = record === undefined || record.state === "sent" || record.state === "decoy";
    if (isOver || record.expiresAt <= now) {
      throw new AppError("not_found", `No mail "${id}" waits or has failed`);
    }
    await tx.put(outboxCollection, { ...record, state: "waiting", nextAttemptAt: now });
  });
}

async function sweep({ store, clock, log }: OutboxDeps): Promise<number> {
  const gone = await store.transact(async (tx) => {
    const range = { to: [clock.now() + 1], limit: SWEPT_AT_ONCE };
    const { items } = await tx.list(outboxCollection, "byExpiresAt", range);
    for (const { id } of items) await tx.remove(outboxCollection, id);
    return items;
  });
  const unsent = gone.filter(({ state }) => state === "waiting" || state === "failed").length;
  if (unsent > 0) log.warn("Mails went unsent: their time was over", { mails: unsent });
  return gone.length;
}

/** Makes the outbox of one service; its store must have {@link outboxCollection}. */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { log, sender } = deps;
  const delivery = createDelivery({ queue: createQueue(deps), log, sender });
  return {
    ...delivery,
    enqueue: (tx, mail) => enqueue(deps, tx, mail),
    list: (options) => list(deps, options),
    retry: async (id) => {
      await retry(deps, id);
      delivery.wake();
    },
    sweep: () => sweep(deps),
    sendTest: async (message) => {
      const present = sender();
      if (present === undefined) throw new AppError("unavailable", "No SMTP server is set");
      return present.send(message);
    },
  };
}
