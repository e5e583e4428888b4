/** Notices as records of one channel's queue: which is due, who may send it, and what becomes of it. */
import type { Clock } from "../../kit/time/clock.ts";
import { type Claim, type DeliveryOutcome, type DeliveryQueue, toBackOffMs } from "../../records/delivery.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { Store, Tx } from "../../store/store.ts";
import { kindOf } from "./kinds/kinds.ts";
import type { ChannelRecord, NoticeRecord, NoticeState } from "./schema.ts";
import { openChannel } from "./secrets.ts";
import { channels, notices } from "./records.ts";
import type { NoticeDelivery } from "./sending.ts";

const DAY_MS = 24 * 3_600_000;
/** From its writing, or an administrator's retry. */
export const GIVE_UP_MS: number = 3 * DAY_MS;
/** How long it can be seen what became of a notice. */
export const KEEP_MS: number = 7 * DAY_MS;
/** Longer than a sending can take; after it a notice whose process died is free again. */
const CLAIM_MS = 120_000;

export interface NoticeQueueDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly channelId: string;
  /** Called when an outcome is stored, with what the notice is now. */
  readonly onSettled: (state: NoticeState) => void;
}

/** The record of a notice that is given up. */
export function toFailed(record: NoticeRecord, end: { reason: string; now: number }): NoticeRecord {
  return { ...record, state: "failed", lastError: end.reason, expiresAt: end.now + KEEP_MS };
}

/** Why a notice can go to its channel no more, or undefined. */
function findMisfit(record: NoticeRecord, channel: ChannelRecord | undefined): string | undefined {
  if (channel === undefined) return "The channel was deleted";
  const { settings } = channel;
  const recipients = kindOf(settings).recipients?.(settings);
  if ((recipients !== undefined) !== (record.to !== "")) return "The type of the channel has changed";
  if (recipients?.includes(record.to) === false) return "The recipient was removed from the channel";
  return undefined;
}

/** When an earlier notice of the same thread is tried next; undefined when none waits. */
async function findEarlier(
  tx: Tx,
  { channelId, to, thread, createdAt }: NoticeRecord,
): Promise<number | undefined> {
  if (thread === undefined) return undefined;
  const range = { prefix: [channelId, to, thread, "waiting"], to: [createdAt], limit: 1 };
  const { items } = await tx.list(notices, "byThread", range);
  return items[0]?.nextAttemptAt;
}

async function claim({ store, clock, box }: NoticeQueueDeps, id: string): Promise<Claim<NoticeDelivery>> {
  const taken = await store.transact(async (tx) => {
    const now = clock.now();
    const record = await tx.get(notices, id);
    if (record?.state !== "waiting" || record.nextAttemptAt > now) return "taken";
    if (record.expiresAt <= now) {
      await tx.put(notices, toFailed(record, { reason: record.lastError ?? "Expired", now }));
      return "expired";
    }
    const channel = await tx.get(channels, record.channelId);
    const misfit = findMisfit(record, channel);
    if (channel === undefined || misfit !== undefined) {
      await tx.put(notices, toFailed(record, { reason: misfit ?? "", now }));
      return "held";
    }
    const earlierAt = await findEarlier(tx, record);
    if (earlierAt !== undefined) {
      await tx.put(notices, { ...record, nextAttemptAt: Math.max(earlierAt, now) + 1 });
      return "taken";
    }
    const attempts = record.attempts + 1;
    const claimed = await tx.put(notices, { ...record, attempts, nextAttemptAt: now + CLAIM_MS });
    return { record: claimed, channel };
  });
  if (typeof taken === "string") return taken;
  const { record } = taken;
  const { kind, attempts, to, severity, title, text, url, facts } = record;
  const channel = openChannel(box, taken.channel);
  const notice = { kind, severity, title, text, facts, ...(url === undefined ? {} : { url }) };
  return { id, kind, attempts, message: channel === undefined ? undefined : { id, channel, to, notice } };
}

function afterOutcome(
  record: NoticeRecord,
  { outcome, now }: { outcome: DeliveryOutcome; now: number },
): NoticeRecord {
  switch (outcome.status) {
    case "sent": {
      const { lastError: _mended, ...rest } = record;
      return { ...rest, state: "sent", sentAt: now, expiresAt: now + KEEP_MS };
    }
    case "permanent":
      return toFailed(record, { reason: outcome.reason, now });
    case "temporary": {
      const waitMs = Math.max(
        toBackOffMs(record.attempts - record.attemptsBefore),
        outcome.retryAfterMs ?? 0,
      );
      const nextAttemptAt = now + waitMs;
      if (nextAttemptAt >= record.expiresAt) return toFailed(record, { reason: outcome.reason, now });
      return { ...record, nextAttemptAt, lastError: outcome.reason };
    }
  }
}

export function createNoticeQueue(deps: NoticeQueueDeps): DeliveryQueue<NoticeDelivery> {
  const { store, clock, channelId } = deps;
  // A receiver that asks to be left alone gets nothing else meanwhile; kept by this process alone.
  let quietUntil = 0;
  return {
    listDue: async ({ limit }) => {
      const now = clock.now();
      if (now < quietUntil) return [];
      const range = { prefix: ["waiting", channelId], to: [now + 1], limit };
      return (await store.read((tx) => tx.list(notices, "byLane", range))).items;
    },
    claim: (id) => (clock.now() < quietUntil ? Promise.resolve("taken") : claim(deps, id)),
    settle: async ({ id, attempts }, outcome) => {
      const now = clock.now();
      if (outcome.status === "temporary") quietUntil = now + (outcome.retryAfterMs ?? 0);
      const settled = await store.transact(async (tx) => {
        const record = await tx.get(notices, id);
        // A sent notification stays sent; any other outcome only counts without a later claim.
        if (record === undefined || record.state === "sent") return undefined;
        if (outcome.status !== "sent" && record.attempts !== attempts) return undefined;
        return tx.put(notices, afterOutcome(record, { outcome, now }));
      });
      if (settled !== undefined) deps.onSettled(settled.state);
    },
  };
}
