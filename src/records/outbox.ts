/** Mails as records: written in the transaction of what they tell of, delivered later, at least once. */
import { type Page, type ReadTx, type Store, type Tx } from "../store/store.ts";
import type { Clock } from "../kit/time/clock.ts";
import {
  type Claim,
  type DeliveryOutcome,
  type DeliveryQueue,
  createDelivery,
  toBackOffMs,
} from "./delivery.ts";
import { AppError } from "../kit/errors.ts";
import { newId } from "../kit/secrets/id.ts";
import type { Log } from "../kit/observe/log.ts";
import { type MailMessage, type MailSender, type MailTest, toMailTest } from "../kit/mail/mail.ts";
import { checkMail } from "../kit/mail/mail-check.ts";
import {
  type LayOutDraft,
  type OutboxEntry,
  type OutboxListOptions,
  listMails,
  readMessage,
  toEntry,
} from "./outbox-read.ts";
import { type OutboxRecord, outboxCollection } from "./outbox-record.ts";
import { sealTexts } from "./outbox-seal.ts";
import { type MailOutcomes, watchSender } from "./watched-sender.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DEFAULT_TTL_SECONDS = 7 * 24 * 3_600;
/** How long it can be seen that a mail was sent. */
const KEEP_SENT_MS = 24 * 60 * MINUTE;
/** Longer than a sending can take; after it a mail whose process died is free again. */
const CLAIM_MS = 2 * MINUTE;
/** How long a mail waits for one before it that another process may be sending just now. */
const FOLLOW_MS = 5 * SECOND;
/** Waiting mails of a thread that are looked at, the oldest first. */
const THREAD_LOOK = 50;
const AT_ONCE = 2;
const SWEPT_AT_ONCE = 200;
const UNREADABLE = "The text was sealed with another secret and cannot be read";

/** Checks of an email just before it is sent. */
export interface GatedMail {
  readonly kind: string;
  /** When it was written, or when an administrator asked for another try. */
  readonly wantedAt: number;
}

/** The decision about a due email: send it, remove it, or keep it as failed for a reason. */
export type GateVerdict = "send" | "drop" | { readonly hold: string };

/** A mail to enqueue; a decoy looks like any other and is never sent. */
export interface OutboxMail extends MailMessage {
  readonly kind: string;
  readonly thread?: string;
  readonly ttlSeconds?: number;
  readonly isDecoy?: boolean;
  /** In place of `text` and `html`: what {@link OutboxDeps.layOut} makes both of when the mail is sent. */
  readonly draft?: string | undefined;
}

export interface OutboxDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly box: SecretBox;
  /** Asked before each mail; undefined while no SMTP server is set. */
  readonly sender: () => MailSender | undefined;
  /** Without it, {@link createOutbox}'s isDelayed knows the mails of this process alone. */
  readonly outcomes?: MailOutcomes;
  /** Failed tries after which a mail is given up; without it, it is tried until its time is over. */
  readonly maxTries?: number;
  /** Asked in the transaction in which a mail is taken to be sent; without it, every mail is sent. */
  readonly gate?: (tx: ReadTx, mail: GatedMail) => Promise<GateVerdict>;
  /** Needed where mails are written as drafts. */
  readonly layOut?: LayOutDraft;
}

async function enqueue({ clock, box }: OutboxDeps, tx: Tx, mail: OutboxMail): Promise<string> {
  checkMail(mail);
  const now = clock.now();
  const { id } = await tx.insert(outboxCollection, {
    id: newId("mail", now),
    kind: mail.kind,
    to: mail.to,
    subject: mail.subject,
    thread: mail.thread,
    state: mail.isDecoy === true ? "decoy" : "waiting",
    attempts: 0,
    createdAt: now,
    nextAttemptAt: now,
    expiresAt: now + (mail.ttlSeconds ?? DEFAULT_TTL_SECONDS) * SECOND,
    ...sealTexts(box, mail),
  });
  return id;
}

/** Applies the gate's decision: an email that must not be sent is removed or kept as failed. */
async function askGate(
  { gate }: OutboxDeps,
  tx: Tx,
  record: OutboxRecord,
): Promise<"send" | "dropped" | "held"> {
  const wantedAt = record.release?.at ?? record.createdAt;
  const verdict = (await gate?.(tx, { kind: record.kind, wantedAt })) ?? "send";
  if (verdict === "send") return "send";
  if (verdict === "drop") {
    await tx.remove(outboxCollection, record.id);
    return "dropped";
  }
  await tx.put(outboxCollection, { ...record, state: "failed", lastError: verdict.hold });
  return "held";
}

/** When a mail may be sent after one of its thread that was written before and still waits; undefined without one. */
async function findTurn(tx: Tx, { id, thread, to }: OutboxRecord, now: number): Promise<number | undefined> {
  if (thread === undefined) return undefined;
  const range = { prefix: [thread, "waiting"], limit: THREAD_LOOK };
  const { items } = await tx.list(outboxCollection, "byThread", range);
  const first = items.find((other) => other.id < id && other.to === to && other.expiresAt > now);
  if (first === undefined) return undefined;
  // After a failure, right after its next attempt; no read before then.
  return Math.max(now + FOLLOW_MS, first.lastError === undefined ? 0 : first.nextAttemptAt);
}

/** Claims an email for this process. After a crash before the outcome, it is due again when the claim ends. */
async function claim(deps: OutboxDeps, id: string): Promise<Claim<MailMessage>> {
  const { store, clock } = deps;
  const record = await store.transact(async (tx) => {
    const now = clock.now();
    const found = await tx.get(outboxCollection, id);
    if (found?.state !== "waiting" || found.nextAttemptAt > now) return "taken";
    if (found.expiresAt <= now) {
      await tx.remove(outboxCollection, id);
      return "expired";
    }
    const verdict = await askGate(deps, tx, found);
    if (verdict !== "send") return verdict;
    const turnAt = await findTurn(tx, found, now);
    if (turnAt !== undefined) {
      await tx.put(outboxCollection, { ...found, nextAttemptAt: turnAt });
      return "behind";
    }
    const attempts = found.attempts + 1;
    return tx.put(outboxCollection, { ...found, attempts, nextAttemptAt: now + CLAIM_MS });
  });
  if (typeof record === "string") return record;
  const { kind, attempts } = record;
  return { id, kind, attempts, message: await store.read((tx) => readMessage(deps, tx, record)) };
}

function afterOutcome(
  record: OutboxRecord,
  outcome: DeliveryOutcome,
  { now, maxTries = Number.POSITIVE_INFINITY }: { now: number; maxTries: number | undefined },
): OutboxRecord {
  switch (outcome.status) {
    case "sent": {
      const { lastError: _mended, sealedDraft: _draft, sealedHtml: _html, ...others } = record;
      const { sealedUnsubscribe: _url, ...rest } = others;
      return { ...rest, state: "sent", sealedText: "", sentAt: now, expiresAt: now + KEEP_SENT_MS };
    }
    case "permanent":
      return { ...record, state: "failed", lastError: outcome.reason };
    case "temporary": {
      // A retry by an administrator restarts the attempts.
      const tries = record.attempts - (record.release?.attempts ?? 0);
      if (tries >= maxTries) return { ...record, state: "failed", lastError: outcome.reason };
      return { ...record, nextAttemptAt: now + toBackOffMs(tries), lastError: outcome.reason };
    }
  }
}

/** The records as the delivery sees them. */
function createQueue(deps: OutboxDeps): DeliveryQueue<MailMessage> {
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
        // A sent email stays sent; any other outcome only counts without a later claim.
        if (record === undefined || record.state === "sent") return;
        if (outcome.status !== "sent" && record.attempts !== attempts) return;
        await tx.put(
          outboxCollection,
          afterOutcome(record, outcome, { now: clock.now(), maxTries: deps.maxTries }),
        );
      }),
  };
}

/** A mail that waits or has failed. @throws AppError `not_found` */
async function getUnsent(tx: Tx, id: string, now: number): Promise<OutboxRecord> {
  const record = await tx.get(outboxCollection, id);
  if ((record?.state === "waiting" || record?.state === "failed") && record.expiresAt > now) return record;
  throw new AppError("not_found", `The email "${id}" does not exist or has already been sent`);
}

async function retry({ store, clock }: OutboxDeps, id: string): Promise<void> {
  await store.transact(async (tx) => {
    const now = clock.now();
    const record = await getUnsent(tx, id, now);
    const release = { at: now, attempts: record.attempts };
    await tx.put(outboxCollection, { ...record, state: "waiting", nextAttemptAt: now, release });
  });
}

async function cancel({ store, clock }: OutboxDeps, id: string): Promise<void> {
  await store.transact(async (tx) => tx.remove(outboxCollection, (await getUnsent(tx, id, clock.now())).id));
}

async function drop({ store }: OutboxDeps, kind: string): Promise<number> {
  let dropped = 0;
  for (;;) {
    const gone = await store.transact(async (tx) => {
      const range = { prefix: [kind, "waiting"], limit: SWEPT_AT_ONCE };
      const { items } = await tx.list(outboxCollection, "byKindState", range);
      for (const { id } of items) await tx.remove(outboxCollection, id);
      return items.length;
    });
    dropped += gone;
    if (gone < SWEPT_AT_ONCE) return dropped;
  }
}

async function sweep({ store, clock, log }: OutboxDeps): Promise<number> {
  const gone = await store.transact(async (tx) => {
    const range = { to: [clock.now() + 1], limit: SWEPT_AT_ONCE };
    const { items } = await tx.list(outboxCollection, "byExpiresAt", range);
    for (const { id } of items) await tx.remove(outboxCollection, id);
    return items;
  });
  const unsent = gone.filter(({ state }) => state === "waiting" || state === "failed").length;
  if (unsent > 0) log.warn("Emails expired without being sent", { mails: unsent });
  return gone.length;
}

export type Outbox = ReturnType<typeof createOutbox>;

/** Creates the outbox of one service; its store must have {@link outboxCollection}. */
export function createOutbox(deps: OutboxDeps) {
  const { log } = deps;
  const { sender, isStuck } = watchSender(deps.sender, deps.outcomes);
  const words = { noun: "mail", waits: "no mail server is configured", unreadable: UNREADABLE } as const;
  const delivery = createDelivery({ queue: createQueue(deps), log, sender, words, atOnce: AT_ONCE });
  return {
    ...delivery,
    /**
     * Writes a mail within `tx`, good for `ttlSeconds` (default 7 days); resolves with its id.
     * @throws AppError `invalid` for an address, subject or text that cannot be sent
     */
    enqueue: (tx: Tx, mail: OutboxMail): Promise<string> => enqueue(deps, tx, mail),
    /** The newest first. */
    list: (options: OutboxListOptions): Promise<Page<OutboxEntry>> => listMails(deps, options),
    /** One mail within `tx`. @throws AppError `not_found` */
    get: async (tx: ReadTx, id: string): Promise<OutboxEntry> => {
      const record = await tx.get(outboxCollection, id);
      if (record === undefined || record.state === "decoy")
        throw new AppError("not_found", `The email "${id}" does not exist`);
      return toEntry(deps, tx, record);
    },
    /** Marks a waiting or failed email as due now. @throws AppError `not_found` for any other */
    retry: (id: string): Promise<void> => retry(deps, id).then(() => delivery.wake()),
    /** Removes a waiting or failed mail; one that is just being handed over may still arrive. @throws AppError `not_found` */
    cancel: (id: string): Promise<void> => cancel(deps, id),
    /** Removes all waiting mails of a kind and says how many. */
    drop: (kind: string): Promise<number> => drop(deps, kind),
    /** Removes up to 200 mails whose time is over and says how many. */
    sweep: (): Promise<number> => sweep(deps),
    /** Whether an SMTP server is set. */
    hasServer: (): boolean => sender() !== undefined,
    /** Whether a mail that is written now waits: no SMTP server is set, or the last mail could not be handed to it. */
    isDelayed: (): boolean => sender() === undefined || isStuck(),
    /** Sends a mail at once, past the outbox. @throws AppError `unavailable` when no SMTP server is set */
    sendTest: async (message: MailMessage): Promise<MailTest> => {
      const present = sender();
      if (present === undefined) throw new AppError("unavailable", "No mail server is configured");
      const steps = await present.check?.(message);
      return steps === undefined ? present.send(message) : toMailTest(steps);
    },
  };
}
