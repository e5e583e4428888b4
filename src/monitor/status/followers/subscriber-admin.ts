/** Subscribers as administrators keep them: listed, added with consent, removed, exported. */
import { AppError } from "../../../kit/errors.ts";
import { isMailAddress } from "../../../kit/mail/mail.ts";
import { findUrlFault } from "../../../kit/outbound/outbound.ts";
import { newId } from "../../../kit/secrets/id.ts";
import { newWebhookSecret } from "../../../kit/secrets/webhook-signature.ts";
import { BYTE_ORDER_MARK, toCsvLine } from "../../../kit/files/csv-line.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../../kit/text/iso-time.ts";
import { type AuditActor, writeAudit } from "../../../records/audit.ts";
import type { Page, PageOptions, ReadTx, Tx } from "../../../store/store.ts";
import { getPage } from "../status-pages.ts";
import type { StatusPageRecord } from "../schema.ts";
import type { FollowersDeps } from "./deps.ts";
import { subscribers } from "./records.ts";
import {
  type AddedSubscriber,
  MAX_SUBSCRIBERS,
  MAX_WEBHOOKS,
  type SubscriberRecord,
  type SubscriberView,
  type SubscriptionWay,
} from "./schema.ts";
import { sealSecret } from "./secrets.ts";
import { endSubscriber, findComponentFault, toAddress } from "./subscribers.ts";

const EXPORTED_AT_ONCE = 500;

function toView(record: SubscriberRecord): SubscriberView {
  const { id, way, address, componentIds, language, state, consent, createdAt, activeSince } = record;
  return {
    id,
    way,
    address,
    componentIds: [...componentIds],
    language,
    state,
    consent,
    createdAt: toIsoTime(createdAt),
    activeSince: toIsoTimeIfAny(activeSince),
    failingSince: toIsoTimeIfAny(record.failing?.since),
  };
}

function checkAddress(way: SubscriptionWay, address: string): void {
  const isRight =
    way === "mail"
      ? isMailAddress(address)
      : address.startsWith("https://") && findUrlFault(address) === undefined;
  if (isRight) return;
  const message = way === "mail" ? "must be a single email address" : "must start with https://";
  const errors = [{ pointer: "/address", code: "invalid", message }];
  throw new AppError("invalid", "The email address or URL is invalid", { errors });
}

/** How many follow a page. */
export interface SubscriberCounts {
  readonly active: number;
  readonly pending: number;
}

const csvHead = ["address", "way", "state", "language", "components", "consent", "since"];

/** Stores one that said yes elsewhere; a pending one says it by this. */
async function insertSubscriber(
  tx: Tx,
  { clock, box }: Pick<FollowersDeps, "clock" | "box">,
  { page, given }: { readonly page: StatusPageRecord; readonly given: AddedSubscriber },
): Promise<{ readonly record: SubscriberRecord; readonly secret: string | undefined }> {
  const { way, componentIds, language } = given;
  const { id: pageId } = page;
  const address = toAddress(way, given.address);
  findComponentFault(page, componentIds);
  const found = await tx.by(subscribers, "address", [pageId, way, address]);
  if (found?.state === "active")
    throw new AppError("already_exists", "This email address or URL is already subscribed");
  if (found !== undefined) await endSubscriber(tx, found);
  const isFull =
    (await tx.count(subscribers, "byPage", { prefix: [pageId] })) >= MAX_SUBSCRIBERS ||
    (way === "webhook" && (await tx.count(subscribers, "byWay", { prefix: [pageId, way] })) >= MAX_WEBHOOKS);
  if (isFull) throw new AppError("conflict", "The page has the maximum number of subscribers");
  const now = clock.now();
  const secret = way === "webhook" ? newWebhookSecret() : undefined;
  const record = await tx.insert(subscribers, {
    id: newId("sub", now),
    pageId,
    way,
    address,
    componentIds,
    state: "active",
    consent: "administrator",
    createdAt: now,
    activeSince: now,
    language: language ?? page.language,
    ...(secret === undefined ? {} : { secret: sealSecret(box, secret) }),
  });
  return { record, secret };
}

export function createSubscriberAdmin({ store, clock, box }: Pick<FollowersDeps, "store" | "clock" | "box">) {
  async function readCsv(tx: ReadTx, pageId: string): Promise<string> {
    const page = await getPage(tx, pageId);
    const names = new Map(page.components.map(({ id, name }) => [id, name]));
    const lines = [BYTE_ORDER_MARK + toCsvLine(csvHead)];
    let cursor: string | undefined;
    do {
      const range = { prefix: [pageId], limit: EXPORTED_AT_ONCE, cursor };
      const found: Page<SubscriberRecord> = await tx.list(subscribers, "byPage", range);
      for (const record of found.items) {
        const { address, way, state, language, componentIds, consent = "", activeSince } = toView(record);
        const components = componentIds.map((id) => names.get(id) ?? id).join("; ");
        lines.push(toCsvLine([address, way, state, language, components, consent, activeSince ?? ""]));
      }
      cursor = found.nextCursor;
    } while (cursor !== undefined);
    return lines.join("");
  }

  return {
    /** The newest first, with how many there are. @throws AppError `not_found`, StoreError `bad_cursor` */
    list: (pageId: string, { state, ...page }: PageOptions & { state?: "pending" | "active" | undefined }) =>
      store.read(async (tx): Promise<Page<SubscriberView> & { counts: SubscriberCounts }> => {
        await getPage(tx, pageId);
        const [index, prefix] =
          state === undefined ? (["byPage", [pageId]] as const) : (["byState", [pageId, state]] as const);
        const { items, nextCursor } = await tx.list(subscribers, index, { ...page, prefix, reverse: true });
        const count = (of: string): Promise<number> =>
          tx.count(subscribers, "byState", { prefix: [pageId, of] });
        const counts = { active: await count("active"), pending: await count("pending") };
        return { items: items.map(toView), nextCursor, counts };
      }),
    /**
     * Adds a subscriber who confirmed elsewhere; confirms a pending one. Returns the secret of a webhook, which the
     * holder of its link sees too.
     * @throws AppError `not_found`, `invalid`, `already_exists`, `conflict`
     */
    add: (
      pageId: string,
      given: AddedSubscriber,
      actor: AuditActor,
    ): Promise<SubscriberView & { secret?: string }> => {
      const { way } = given;
      checkAddress(way, given.address);
      return store.transact(async (tx) => {
        const page = await getPage(tx, pageId);
        const { record, secret } = await insertSubscriber(tx, { clock, box }, { page, given });
        const changes = [`way: ${way}`, `page: ${page.slug}`];
        await writeAudit(tx, { actor, action: "subscriber.add", target: record.id, changes }, clock);
        return { ...toView(record), ...(secret === undefined ? {} : { secret }) };
      });
    },
    /** Ends one. @throws AppError `not_found` */
    remove: (pageId: string, id: string, actor: AuditActor): Promise<void> =>
      store.transact(async (tx) => {
        const found = await tx.get(subscribers, id);
        if (found?.pageId !== pageId) throw new AppError("not_found", `This page has no subscriber "${id}"`);
        await endSubscriber(tx, found);
        const changes = [`way: ${found.way}`];
        await writeAudit(tx, { actor, action: "subscriber.remove", target: id, changes }, clock);
      }),
    /** All, the oldest first, as CSV. @throws AppError `not_found` */
    export: (pageId: string, actor: AuditActor): Promise<string> =>
      store.transact(async (tx) => {
        await writeAudit(tx, { actor, action: "subscriber.export", target: pageId }, clock);
        return readCsv(tx, pageId);
      }),
  };
}
