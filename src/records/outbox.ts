/** Mails as records: written in the transaction of what they tell of, delivered later, at least once. */
import { z } from "zod";
import { type Page, type ReadTx, type Store, type Tx, defineCollection } from "../store/store.ts";
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
import { openMessage, openText, sealTexts } from "./outbox-seal.ts";
import { type MailOutcomes, watchSender } from "./watched-sender.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import { line, timeMs } from "../kit/text/schemas.ts";

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
const UNREADABLE = "The text was sealed with another secret key and cannot be read";

/** "decoy": written in place of a mail that nobody may get, so that both cost the same; never sent nor listed. */
const outboxStateSchema = z.enum(["waiting", "sent", "failed", "decoy"]);
export type OutboxState = z.infer<typeof outboxStateSchema>;

export const outboxRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** What the mail is about, such as "code" or "notice". */
  kind: line(40).min(1),
  /** Such as the id of an order: mails of one thread leave to one address in the order of their writing. */
  thread: line(100).optional(),
  to: line(254),
  subject: line(500),
  /** The text, sealed; "" when it was sent. */
  sealedText: z.string().max(260_000),
  /** What is sealed is a draft, from which text and HTML are laid out when the mail is sent. */
  isDraft: z.boolean().optional(),
  /** The HTML part, sealed; absent when there is none, or it was sent. */
  sealedHtml: z.string().max(420_000).optional(),
  /** Where mails of this kind are switched off, sealed; absent when they cannot be, or it was sent. */
  sealedUnsubscribe: z.string().max(4_000).optional(),
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
  /** When an administrator asked for another try, and how many claims there were before. */
  release: z.object({ at: timeMs, attempts: z.number().int() }).optional(),
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
    byKind: ["kind"],
    byKindState: ["kind", "state"],
    byThread: ["thread", "state"],
  },
});

/** A mail as an administrator sees it; `text` is "" when it was sent, expired or cannot be opened. */
export type OutboxEntry = Omit<
  OutboxRecord,
  "version" | "thread" | "sealedText" | "isDraft" | "sealedHtml" | "sealedUnsubscribe" | "release"
> & {
  readonly text: string;
};

export interface OutboxListOptions {
  /** 1 to 1,000. */
  readonly limit: number;
  readonly cursor?: string;
  readonly state?: OutboxState;
  readonly kind?: string;
}

/** What is asked about a mail just before it would be sent. */
export interface GatedMail {
  readonly kind: string;
  /** When it was written, or when an administrator asked for another try. */
  readonly wantedAt: number;
}

/** What is to become of a mail that is due: sent, removed, or kept as failed for a reason. */
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

/** Makes text and HTML of a draft; undefined when it cannot be read. */
export type LayOutDraft = (
  tx: ReadTx,
  draft: string,
) => Promise<Pick<MailMessage, "text" | "html"> | undefined>;

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
    ...(mail.draft === undefined
      ? sealTexts(box, mail)
      : { ...sealTexts(box, { ...mail, text: mail.draft, html: undefined }), isDraft: true }),
    thread: mail.thread,
    state: mail.isDecoy === true ? "decoy" : "waiting",
    attempts: 0,
    createdAt: now,
    nextAttemptAt: now,
    expiresAt: now + (mail.ttlSeconds ?? DEFAULT_TTL_SECONDS) * SECOND,
  });
  return id;
}

/** What the gate says; a mail that is not to be sent is removed or kept as failed. */
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
  // After a failure, right behind it when it is tried again; until then nobody asks.
  return Math.max(now + FOLLOW_MS, first.lastError === undefined ? 0 : first.nextAttemptAt);
}

/** A mail as it is sent; undefined when it cannot be read. */
async function readMessage(
  { box, layOut }: OutboxDeps,
  tx: ReadTx,
  record: OutboxRecord,
): Promise<MailMessage | undefined> {
  const message = openMessage(box, record);
  if (message === undefined || record.isDraft !== true) return message;
  const laidOut = await layOut?.(tx, message.text);
  return laidOut && { ...message, ...laidOut };
}

/** Takes a mail for this process. A crash between this and the outcome leaves it due again when the claim ends. */
async function claim(deps: OutboxDeps, id: string): Promise<Claim<MailMessage>> {
  const { store, clock, box } = deps;
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
      const { lastError: _mended, isDraft: _draft, sealedHtml: _html, ...others } = record;
      const { sealedUnsubscribe: _url, ...rest } = others;
      return { ...rest, state: "sent", sealedText: "", sentAt: now, expiresAt: now + KEEP_SENT_MS };
    }
    case "permanent":
      return { ...record, state: "failed", lastError: outcome.reason };
    case "temporary": {
      // A retry of an administrator begins anew.
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
        // What was sent is sent; any other outcome counts only while no later claim has been made.
        if (record === undefined || record.state === "sent") return;
        if (outcome.status !== "sent" && record.attempts !== attempts) return;
        await tx.put(
          outboxCollection,
          afterOutcome(record, outcome, { now: clock.now(), maxTries: deps.maxTries }),
        );
      }),
  };
}

async function readText(
  { box, layOut }: OutboxDeps,
  tx: ReadTx,
  { sealedText, isDraft }: OutboxRecord,
): Promise<string | undefined> {
  const text = openText(box, sealedText);
  if (text === undefined || isDraft !== true) return text;
  return (await layOut?.(tx, text))?.text;
}

async function toEntry(deps: OutboxDeps, tx: ReadTx, record: OutboxRecord): Promise<OutboxEntry> {
  const {
    version: _version,
    thread: _thread,
    sealedText,
    isDraft: _draft,
    sealedHtml: _html,
    sealedUnsubscribe: _url,
    release: _release,
    ...entry
  } = record;
  const isGone = sealedText === "" || record.expiresAt <= deps.clock.now();
  return { ...entry, text: isGone ? "" : ((await readText(deps, tx, record)) ?? "") };
}

function list(deps: OutboxDeps, options: OutboxListOptions): Promise<Page<OutboxEntry>> {
  const { state, kind, ...rest } = options;
  const readPage = (tx: ReadTx): Promise<Page<OutboxRecord>> => {
    if (kind === undefined && state === undefined)
      return tx.list(outboxCollection, "id", { ...rest, reverse: true });
    const prefix = [kind, state].filter((value) => value !== undefined);
    const index = kind === undefined ? "byState" : state === undefined ? "byKind" : "byKindState";
    return tx.list(outboxCollection, index, { ...rest, prefix, reverse: true });
  };
  return deps.store.read(async (tx) => {
    const page = await readPage(tx);
    const items: OutboxEntry[] = [];
    for (const record of page.items)
      if (record.state !== "decoy") items.push(await toEntry(deps, tx, record));
    return page.nextCursor === undefined ? { items } : { items, nextCursor: page.nextCursor };
  });
}

/** A mail that waits or has failed. @throws AppError `not_found` */
async function getUnsent(tx: Tx, id: string, now: number): Promise<OutboxRecord> {
  const record = await tx.get(outboxCollection, id);
  if ((record?.state === "waiting" || record?.state === "failed") && record.expiresAt > now) return record;
  throw new AppError("not_found", `No mail "${id}" waits or has failed`);
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
  if (unsent > 0) log.warn("Mails went unsent: their time was over", { mails: unsent });
  return gone.length;
}

export type Outbox = ReturnType<typeof createOutbox>;

/** Makes the outbox of one service; its store must have {@link outboxCollection}. */
export function createOutbox(deps: OutboxDeps) {
  const { log } = deps;
  const { sender, isStuck } = watchSender(deps.sender, deps.outcomes);
  const words = { noun: "mail", waits: "no SMTP server is set", unreadable: UNREADABLE } as const;
  const delivery = createDelivery({ queue: createQueue(deps), log, sender, words, atOnce: AT_ONCE });
  return {
    ...delivery,
    /**
     * Writes a mail within `tx`, good for `ttlSeconds` (default 7 days); resolves with its id.
     * @throws AppError `invalid` for an address, subject or text that cannot be sent
     */
    enqueue: (tx: Tx, mail: OutboxMail): Promise<string> => enqueue(deps, tx, mail),
    /** The newest first. */
    list: (options: OutboxListOptions): Promise<Page<OutboxEntry>> => list(deps, options),
    /** One mail within `tx`. @throws AppError `not_found` */
    get: async (tx: ReadTx, id: string): Promise<OutboxEntry> => {
      const record = await tx.get(outboxCollection, id);
      if (record === undefined || record.state === "decoy")
        throw new AppError("not_found", `There is no mail "${id}"`);
      return toEntry(deps, tx, record);
    },
    /** Makes a waiting or failed mail due now. @throws AppError `not_found` for any other */
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
      if (present === undefined) throw new AppError("unavailable", "No SMTP server is set");
      const steps = await present.check?.(message);
      return steps === undefined ? present.send(message) : toMailTest(steps);
    },
  };
}
