/** How the webhooks of payment providers fare. */
import type { ReadTx } from "../../store/store.ts";
import type { OrderRecord } from "../orders/schema.ts";
import type { NoticeRecord } from "../payments/schema.ts";
import { notices } from "../payments/records.ts";
import { orders } from "../orders/records.ts";
import { type Provider, type SiteSettings, DEMO_SLUG } from "../site/schema.ts";

const DAY_MS = 24 * 3_600_000;
/** The newest notices of a provider, and the newest orders, that are looked at. */
const LOOKED_AT = 200;
/** Notices that must agree before a clock counts as wrong: one that was repeated late is old, not wrong. */
const SKEW_SAMPLES = 3;
const SKEW_MS = 120_000;
const SILENT_ORDERS = 3;
const SILENT_DAYS = 7;

/** The time that a notice says of itself, in epoch milliseconds. */
function findTimestamp({ raw }: NoticeRecord): number | undefined {
  try {
    const body: unknown = JSON.parse(raw);
    const stated: unknown =
      typeof body === "object" && body !== null ? Reflect.get(body, "timestamp") : undefined;
    // Seconds or milliseconds: seconds stay below 10^11 until the year 5138.
    if (typeof stated === "number") return stated < 1e11 ? stated * 1_000 : stated;
    const ms = typeof stated === "string" ? Date.parse(stated) : Number.NaN;
    return Number.isNaN(ms) ? undefined : ms;
  } catch {
    return undefined;
  }
}

/** The smallest difference of the newest notices, when all lie on one side and none is small. */
function findSkew(newest: readonly NoticeRecord[]): number | undefined {
  const skews = newest
    .flatMap((notice) => {
      const stated = findTimestamp(notice);
      return stated === undefined ? [] : [stated - notice.receivedAt];
    })
    .slice(0, SKEW_SAMPLES);
  if (skews.length < SKEW_SAMPLES) return undefined;
  const isAhead = skews.every((skew) => skew > SKEW_MS);
  if (!isAhead && !skews.every((skew) => skew < -SKEW_MS)) return undefined;
  return isAhead ? Math.min(...skews) : Math.max(...skews);
}

/** Whether several orders of the last days chose the provider, and it has said nothing since. */
function isSilent(
  word: string,
  {
    recent,
    lastNoticeAt = 0,
    nowMs,
  }: { recent: readonly OrderRecord[]; lastNoticeAt: number | undefined; nowMs: number },
): boolean {
  const since = Math.max(lastNoticeAt, nowMs - SILENT_DAYS * DAY_MS);
  const waiting = recent.filter(
    ({ paymentMethod, total, createdAt, expiresAt }) =>
      paymentMethod === word && total > 0 && createdAt > since && expiresAt < nowMs,
  );
  return waiting.length >= SILENT_ORDERS;
}

export type ProviderStatus = Awaited<ReturnType<typeof listProviderStatus>>[number];

export async function listProviderStatus(tx: ReadTx, { site, nowMs }: { site: SiteSettings; nowMs: number }) {
  const open = await tx.list(notices, "byOpen", { prefix: ["yes"], limit: 1_000, reverse: true });
  const recent = await tx.list(orders, "byCreated", { limit: LOOKED_AT, reverse: true });
  const toStatus = async ({ word, enabled, secret, sealedCredentials }: Provider) => {
    const range = { prefix: [word], limit: LOOKED_AT, reverse: true };
    const { items } = await tx.list(notices, "byProvider", range);
    const lastNoticeAt = items[0]?.receivedAt;
    const clockSkewMs = findSkew(items);
    return {
      word,
      enabled,
      secretSet: (secret ?? sealedCredentials) !== undefined || word === DEMO_SLUG,
      lastNoticeAt,
      /** Of the newest 200 notices, those whose sender is not proven. */
      unverified: items.filter(({ verified }) => verified === "none").length,
      /** Notices that wait for a decision, of the newest 1,000 of all. */
      openReviews: open.items.filter(({ provider }) => provider === word).length,
      /** How far its clock is from ours, when its newest notices agree that it is more than 2 minutes. */
      clockSkewMs,
      /** Orders wait for its notices and none came in the last days. */
      isSilent:
        enabled && word !== DEMO_SLUG && isSilent(word, { recent: recent.items, lastNoticeAt, nowMs }),
    };
  };
  const all = [];
  for (const provider of site.paymentProviders) all.push(await toStatus(provider));
  return all;
}
