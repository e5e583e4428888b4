/**
 * The outbox of notifications: written in the transaction of their cause, delivered later, at least once, each channel
 * in its own lane so that a slow receiver delays no other.
 */
import { coalesce } from "../../kit/limits/coalesce.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type Delivery, type DeliveryCounts, createDelivery } from "../../records/delivery.ts";
import { AppError } from "../../kit/errors.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { Page, ReadTx, Store, Tx } from "../../store/store.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { isWebAddress } from "./receivers/receiver-schemas.ts";
import { kindOf } from "./kinds/kinds.ts";
import { clip } from "./kinds/messages.ts";
import type { ChannelRecord, NoticeRecord, NoticeState } from "./schema.ts";
import { type NoticeFacts, MAX_NOTICE_TEXT, MAX_NOTICE_TITLE, factNames } from "./kinds/notice.ts";
import type { AddressedNotice, Notices } from "./notification.ts";
import { passOn } from "./on-call.ts";
import { createNoticeQueue, GIVE_UP_MS, toFailed } from "./notification-queue.ts";
import { channels, notices, onCallReached } from "./records.ts";
import type { NoticeDelivery, Sending } from "./sending.ts";
import { createSlots } from "./slots.ts";

const AT_ONCE = 4;
const SWEPT_AT_ONCE = 200;
/** As long as closed incidents are kept. */
const REACHED_MS = 400 * 86_400_000;
/** How often waiting notices are counted, for the metrics. */
const COUNT_MS = 10_000;
/** With the ids of a channel and a recipient it must fit an id of the store. */
const KEY = /^[\w.:@~+-]{1,250}$/u;

/** A notice as an administrator sees it. */
export interface NoticeEntry extends Omit<NoticeRecord, "version" | "attemptsBefore" | "thread" | "facts"> {
  /** Absent when the channel is gone. */
  readonly channelName?: string;
}

export interface NoticeListOptions {
  /** 1 to 1,000. */
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly state?: NoticeState | undefined;
}

export interface NoticeLog extends Notices {
  /** Counts what waits; the sender also starts sending what is due. Resolves before it is sent. Call it every second. */
  tick(): Promise<void>;
  /** Sends what is due and resolves when that is done. */
  deliver(): Promise<DeliveryCounts>;
  /** The newest first. Throws `bad_cursor`. */
  list(options: NoticeListOptions): Promise<Page<NoticeEntry>>;
  /** Marks a waiting or failed notification as due now; the sender sends it. @throws AppError `not_found`, `conflict` when it was sent */
  retry(id: string, actor: AuditActor): Promise<void>;
  /** Discards expired notifications, and removes old ones; 200 at most. */
  sweep(): Promise<void>;
  /** Since the start: sent and given up; and how many waited at the last look. */
  readonly counts: { readonly sent: number; readonly failed: number; readonly waiting: number };
  /** Begins no further sending, and resolves when none is on its way. */
  close(): Promise<void>;
}

export interface NoticeLogDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly box: SecretBox;
  readonly sending: Sending;
  /**
   * Whether this process is the one that sends: a receiver that asks to be left alone is left alone by all.
   * Without it, always.
   */
  readonly isSender?: () => boolean;
}

function toLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, " ").trim();
  return clip(line === "" ? "(no title)" : line, MAX_NOTICE_TITLE);
}

function toText(text: string): string {
  const plain = text
    .replaceAll("\r\n", "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Cs}/gu, " ");
  return clip(plain, MAX_NOTICE_TEXT);
}

/** At most as long as a title. */
function toPlainFacts(facts: NoticeFacts): NoticeFacts {
  const plain = factNames.map((name) => [name, facts[name] === "" ? "" : toLine(facts[name])]);
  // `as`: Object.fromEntries does not know the names.
  return Object.fromEntries(plain) as NoticeFacts;
}

/**
 * What a channel gets of a notice. A receiver that keeps alerts of its own gets none of those that ended before anyone
 * was notified, because nothing would close them. Other channels get no acknowledgements.
 */
function listFor({ settings }: ChannelRecord, notice: AddressedNotice): readonly AddressedNotice[] {
  const keepsAlerts = kindOf(settings).keepsAlerts?.(settings) === true;
  if (!keepsAlerts) return notice.kind === "acknowledged" ? [] : [notice];
  return (notice.parts?.() ?? [notice])
    .filter(({ isOver, kind }) => isOver !== true || kind === "resolved")
    .map((part) => ({ ...part, thread: part.facts?.key ?? part.thread ?? part.key }));
}

/** Names of machines come from elsewhere: what they hold must not make the change fail that a notice is about. */
function toRecord(
  notice: AddressedNotice,
  { now, channelId, to }: { now: number; channelId: string; to: string },
): Omit<NoticeRecord, "version"> {
  const { key, thread, kind, severity, title, text, url, facts } = notice;
  return {
    id: `${key}:${channelId}${to === "" ? "" : `:${to}`}`,
    channelId,
    to,
    ...(thread === undefined ? {} : { thread }),
    kind,
    severity,
    title: toLine(title),
    text: toText(text),
    ...(url !== undefined && isWebAddress(url) ? { url } : {}),
    ...(facts === undefined ? {} : { facts: toPlainFacts(facts) }),
    state: "waiting",
    attempts: 0,
    attemptsBefore: 0,
    createdAt: now,
    nextAttemptAt: now,
    expiresAt: now + GIVE_UP_MS,
  };
}

async function enqueue({ clock }: NoticeLogDeps, tx: Tx, notice: AddressedNotice): Promise<void> {
  if (!KEY.test(notice.key)) throw new RangeError(`"${notice.key}" is not a valid notification key`);
  const now = clock.now();
  // A message that a table passes on has a key of its own: it may be about other alerts than one for the same channel.
  const keys = new Map<string, string>();
  for (const id of new Set(notice.channelIds)) {
    const named = await tx.get(channels, id);
    if (named === undefined) continue;
    if (named.settings.type !== "oncall") keys.set(id, notice.key);
    else
      for (const channelId of await passOn(tx, { clock, table: named, notice }))
        if (keys.get(channelId) !== notice.key) keys.set(channelId, `${notice.key}:${id}`);
  }
  for (const [channelId, key] of keys) {
    const channel = await tx.get(channels, channelId);
    if (channel === undefined) continue;
    const { settings } = channel;
    const recipients = new Set(kindOf(settings).recipients?.(settings) ?? [""]);
    for (const one of listFor(channel, { ...notice, key }))
      for (const to of recipients) {
        const record = toRecord(one, { now, channelId, to });
        if ((await tx.get(notices, record.id)) === undefined) await tx.insert(notices, record);
      }
  }
}

/** The channels that something is due for: one look a channel, however much waits for it. */
async function findDueLanes(tx: ReadTx, now: number): Promise<readonly string[]> {
  const due: string[] = [];
  let from: { from?: [string, number] } = {};
  for (;;) {
    const { items } = await tx.list(notices, "byLane", { prefix: ["waiting"], ...from, limit: 1 });
    const [first] = items;
    if (first === undefined) return due;
    if (first.nextAttemptAt <= now) due.push(first.channelId);
    from = { from: [first.channelId, Number.MAX_SAFE_INTEGER] };
  }
}

async function list(
  { store }: NoticeLogDeps,
  { limit, cursor, state }: NoticeListOptions,
): Promise<Page<NoticeEntry>> {
  const paging = { limit, reverse: true, ...(cursor === undefined ? {} : { cursor }) };
  return store.read(async (tx) => {
    const page = await (state === undefined
      ? tx.list(notices, "byTime", paging)
      : tx.list(notices, "byStateTime", { ...paging, prefix: [state] }));
    const items: NoticeEntry[] = [];
    for (const record of page.items) {
      const { version: _version, attemptsBefore: _before, thread: _thread, facts: _facts, ...entry } = record;
      const name = (await tx.get(channels, record.channelId))?.name;
      items.push({ ...entry, ...(name === undefined ? {} : { channelName: name }) });
    }
    return page.nextCursor === undefined ? { items } : { items, nextCursor: page.nextCursor };
  });
}

async function retry(
  { store, clock }: NoticeLogDeps,
  { id, actor }: { id: string; actor: AuditActor },
): Promise<void> {
  await store.transact(async (tx) => {
    const now = clock.now();
    const record = await tx.get(notices, id);
    if (record === undefined) throw new AppError("not_found", `The notification "${id}" does not exist`);
    if (record.state === "sent") throw new AppError("conflict", "The notification was already sent");
    const times = { nextAttemptAt: now, expiresAt: now + GIVE_UP_MS, attemptsBefore: record.attempts };
    await tx.put(notices, { ...record, state: "waiting", ...times });
    await writeAudit(tx, { actor, action: "notice.retry", target: id }, clock);
  });
}

async function sweep({ store, clock }: NoticeLogDeps): Promise<void> {
  await store.transact(async (tx) => {
    const now = clock.now();
    const { items } = await tx.list(notices, "byExpiresAt", { to: [now + 1], limit: SWEPT_AT_ONCE });
    for (const record of items) {
      if (record.state !== "waiting") await tx.remove(notices, record.id);
      else await tx.put(notices, toFailed(record, { reason: record.lastError ?? "Expired", now }));
    }
    const old = await tx.list(onCallReached, "byAt", { to: [now - REACHED_MS], limit: SWEPT_AT_ONCE });
    for (const { id } of old.items) await tx.remove(onCallReached, id);
  });
}

/** Creates the outbox of notices. */
export function createNoticeLog(deps: NoticeLogDeps): NoticeLog {
  const { store, clock, log, box, sending, isSender = () => true } = deps;
  const lanes = new Map<string, Delivery>();
  const slots = createSlots(AT_ONCE);
  const counts = { sent: 0, failed: 0, waiting: 0 };
  let countedAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  function laneOf(channelId: string): Delivery {
    const known = lanes.get(channelId);
    if (known !== undefined) return known;
    const lane = createDelivery<NoticeDelivery>({
      queue: createNoticeQueue({
        store,
        clock,
        box,
        channelId,
        onSettled: (state) => {
          if (state !== "waiting") counts[state] += 1;
        },
      }),
      log,
      words: {
        noun: "notice",
        waits: "no sender is available",
        unreadable: "The channel's secrets were sealed with another secret. Enter them again",
      },
      atOnce: 1,
      turn: slots,
      sender: () => sending,
    });
    lanes.set(channelId, lane);
    return lane;
  }

  async function countWaiting(): Promise<void> {
    if (clock.monotonic() - countedAt < COUNT_MS) return;
    countedAt = clock.monotonic();
    counts.waiting = await store.read((tx) => tx.count(notices, "byStateTime", { prefix: ["waiting"] }));
  }

  const findDue = (): Promise<readonly string[]> => store.read((tx) => findDueLanes(tx, clock.now()));
  const tick = coalesce(async () => {
    if (closed) return;
    if (isSender()) for (const id of await findDue()) laneOf(id).wake();
    await countWaiting();
  });

  return {
    counts,
    enqueue: (tx, notice) => enqueue(deps, tx, notice),
    wake: () => {
      tick().catch((error: unknown) => log.warn("Waiting notifications could not be read", { error }));
    },
    tick,
    deliver: async () => {
      const runs = await Promise.all((await findDue()).map((id) => laneOf(id).deliver()));
      const sum = (name: keyof DeliveryCounts): number => runs.reduce((all, run) => all + run[name], 0);
      return { sent: sum("sent"), failed: sum("failed"), waiting: sum("waiting") };
    },
    list: (options) => list(deps, options),
    retry: async (id, actor) => {
      await retry(deps, { id, actor });
      await tick();
    },
    sweep: () => sweep(deps),
    close: async () => {
      closed = true;
      await Promise.all(Array.from(lanes.values(), (lane) => lane.close()));
    },
  };
}
