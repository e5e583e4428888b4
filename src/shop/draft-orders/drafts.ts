/** Draft orders as staff write them, price them, and send them to the buyer. */
import { AppError } from "../../kit/errors.ts";
import { newCodeText, newId } from "../../kit/secrets/id.ts";
import { createResource, hasText } from "../../records/resource.ts";
import { type ChangedBy, assertVersion } from "../../records/versions.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Page, ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { ShopError } from "../base/errors.ts";
import { type Priced, findVatQuestion } from "../checkout/quote.ts";
import { listChanges } from "../order-edits/changes.ts";
import type { OrderChange } from "../orders/schema.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import type { VatChecks, VatVerdict } from "../tax/vat-checks.ts";
import { mailLink, toDraftUrl } from "./link.ts";
import { priceDraft, toInput, toQuoted } from "./prices.ts";
import { draftOrders } from "./records.ts";
import {
  type DraftChange,
  type DraftContent,
  type DraftItem,
  type DraftRecord,
  type Quoted,
  draftContentSchema,
  newDraftSchema,
} from "./schema.ts";

const NUMBER_CHARACTERS = 8;
const MAX_DRAFTS = 10_000;
/** Earlier versions that are remembered. */
const MAX_FORMER = 10;
const DAY_MS = 86_400_000;

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

/** A draft with what VIES said about its VAT ID. */
interface Written {
  readonly content: DraftContent;
  readonly verdict: VatVerdict | undefined;
}

/** Filters of the list. */
export interface DraftQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly q?: string | undefined;
  readonly state?: DraftRecord["state"] | undefined;
}

/** What a draft costs now, and what changed since it was saved. */
export interface DraftPrices {
  readonly quoted: Quoted;
  readonly priced: Priced;
  readonly changes: readonly OrderChange[];
}

/** The part of a record that staff wrote. */
export function toContent(record: DraftRecord): DraftContent {
  return draftContentSchema.strip().parse(record);
}

/** A draft's content with changed fields. Throws `invalid`. */
function merge(before: DraftRecord, fields: DraftChange): DraftContent {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  const merged = { ...toContent(before), ...Object.fromEntries(named) };
  const kept = Object.entries(merged).filter(([, value]) => value !== null);
  const parsed = newDraftSchema.safeParse(Object.fromEntries(kept));
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, code, message }) => {
    return { pointer: `/${path.join("/")}`, code, message };
  });
  throw new AppError("invalid", "The draft order has invalid values", { errors });
}

function withIds(items: readonly DraftItem[]): DraftItem[] {
  return items.map((item) => ({ ...item, id: item.id ?? newId("lin") }));
}

/** Throws `conflict` for a draft that is an order already. */
export function assertOpen({ state, orderNumber = "", orderId }: DraftRecord): void {
  if (state !== "ordered") return;
  throw new AppError(
    "conflict",
    `This draft was already placed as order ${orderNumber}. Edit the order instead`,
    {
      details: { orderId, orderNumber },
    },
  );
}

/** Throws `price_changed` with what changed unless the total is the one that was shown. */
export function assertTotal(
  { quoted, changes }: Pick<DraftPrices, "quoted" | "changes">,
  expectedTotal: number,
): void {
  const { total, currency } = quoted;
  if (total === expectedTotal) return;
  throw new ShopError("price_changed", "The total of the draft has changed. Review it and try again", {
    details: { total, expectedTotal, currency, changes },
  });
}

/** What changed since a version of the draft; undefined for one that is not known. */
export function listSince(draft: DraftRecord, version: number): readonly OrderChange[] | undefined {
  if (version === draft.version) return [];
  const before = draft.former.find((one) => one.version === version)?.quoted;
  return before === undefined || draft.quoted === undefined ? undefined : listChanges(before, draft.quoted);
}

function remember({ former, version, quoted }: DraftRecord): DraftRecord["former"] {
  return quoted === undefined ? former : [...former, { version, quoted }].slice(-MAX_FORMER);
}

/** Draft orders. */
export class DraftOrders {
  readonly #deps: Deps;
  readonly #vatChecks: VatChecks;
  readonly #records;

  constructor(deps: Deps, { vatChecks }: { readonly vatChecks: VatChecks }) {
    this.#deps = deps;
    this.#vatChecks = vatChecks;
    this.#records = createResource(deps, {
      collection: draftOrders,
      noun: "draft order",
      idPrefix: "dft",
      atMost: MAX_DRAFTS,
      auditName: "draft_order",
      orders: { newest: { index: "byUpdated", reverse: true } },
      matches: ({ state, number, email = "", shippingAddress, orderNumber = "" }, query: DraftQuery) =>
        (query.state === undefined || query.state === state) &&
        hasText([number, email, orderNumber, shippingAddress?.name ?? ""], query.q?.trim() ?? ""),
      create: async (
        { written, by }: { written: Written; by: string },
        { tx, id, nowMs },
      ): Promise<DraftRecord> => {
        const content = { ...written.content, items: withIds(written.content.items) };
        return {
          ...content,
          id,
          version: 0,
          number: `D-${newCodeText(NUMBER_CHARACTERS).toUpperCase()}`,
          state: "open",
          quoted: await this.#quote(tx, { content, verdict: written.verdict }),
          former: [],
          createdBy: by,
          createdAt: nowMs,
          updatedAt: nowMs,
        };
      },
      change: async (
        before,
        { fields, verdict }: { fields: DraftChange; verdict: VatVerdict | undefined },
        { tx },
      ): Promise<DraftRecord> => {
        assertOpen(before);
        const merged = merge(before, fields);
        const content = { ...merged, items: withIds(merged.items) };
        const { id, version, number, state, link, createdBy, createdAt, updatedAt } = before;
        const kept = { id, version, number, state, link, createdBy, createdAt, updatedAt };
        const quoted = await this.#quote(tx, { content, verdict });
        return { ...content, ...kept, quoted, former: remember(before) };
      },
      afterRemove: (_tx, record) => {
        assertOpen(record);
        return Promise.resolve();
      },
      describe: ({ number }) => [`number: ${number}`],
      derived: ["quoted", "former"],
    });
  }

  list(query: DraftQuery): Promise<Page<DraftRecord>> {
    return this.#records.list(query);
  }

  /** Throws `not_found`. */
  get(id: string): Promise<DraftRecord> {
    return this.#records.get(id);
  }

  /** By the number in payment links. Throws `not_found`. */
  async getByNumber(number: string): Promise<DraftRecord> {
    const found = await this.#deps.store.read((tx) => tx.by(draftOrders, "byNumber", [number.toUpperCase()]));
    if (found === undefined) throw new AppError("not_found", "This draft order does not exist");
    return found;
  }

  async create(content: DraftContent, by: ChangedBy, clientAddress: string): Promise<DraftRecord> {
    const written = { content, verdict: await this.ask(content, clientAddress) };
    return this.#records.create({ written, by: by.actor.name }, by);
  }

  /** Throws `not_found`, `version_conflict`, `invalid`, `conflict` for one that is an order already. */
  async change(
    id: string,
    fields: DraftChange,
    { clientAddress, ...by }: ChangedBy & { readonly clientAddress: string },
  ): Promise<DraftRecord> {
    const content = merge(await this.get(id), fields);
    return this.#records.change(id, { fields, verdict: await this.ask(content, clientAddress) }, by);
  }

  /** Throws `not_found`, `conflict` for one that is an order already. */
  remove(id: string, by: ChangedBy): Promise<void> {
    return this.#records.remove(id, by);
  }

  /** A new draft with the same content. Throws `not_found`. */
  async duplicate(id: string, by: ChangedBy, clientAddress: string): Promise<DraftRecord> {
    const { items, ...content } = toContent(await this.get(id));
    const fresh = items.map((item) => ({ ...item, id: undefined }));
    return this.create({ ...content, items: fresh }, by, clientAddress);
  }

  /** What a content would cost; stores nothing. Throws `invalid`, `quantity_limit`, `coupon_invalid`. */
  async preview(content: DraftContent, clientAddress: string): Promise<DraftPrices> {
    const verdict = await this.ask(content, clientAddress);
    return this.#deps.store.read((tx) => this.price(tx, { content, verdict, isPreview: true }));
  }

  /** What a stored draft costs now. Throws `not_found`, `invalid`, `quantity_limit`, `coupon_invalid`. */
  async priceNow(id: string, clientAddress: string): Promise<DraftPrices> {
    const draft = await this.get(id);
    const content = toContent(draft);
    const verdict = await this.ask(content, clientAddress);
    const before = draft.quoted;
    return this.#deps.store.read((tx) => this.price(tx, { content, verdict, before, isPreview: true }));
  }

  /**
   * What a draft costs now, beside what it did when it was saved.
   * @throws AppError `invalid`, `quantity_limit`, `coupon_invalid`
   */
  async price(
    tx: ReadTx,
    wanted: {
      readonly content: DraftContent;
      readonly verdict?: VatVerdict | undefined;
      readonly before?: Quoted | undefined;
      readonly isPreview?: boolean;
      readonly site?: SiteSettings;
    },
  ): Promise<DraftPrices> {
    const { content, verdict, before, isPreview = false } = wanted;
    const site = wanted.site ?? (await readSite(tx));
    const priced = await priceDraft(tx, this.#deps, { content, site, verdict, isPreview });
    const quoted = toQuoted(content, priced);
    return { priced, quoted, changes: before === undefined ? [] : listChanges(before, quoted) };
  }

  /** What VIES says about the VAT ID of a draft; asked before a transaction. */
  async ask(content: DraftContent, clientAddress: string): Promise<VatVerdict | undefined> {
    if ((content.vatId ?? "") === "") return undefined;
    const site = await this.#deps.store.read(readSite);
    const vatId = findVatQuestion({ site, input: toInput(content) });
    if (vatId === undefined) return undefined;
    return this.#vatChecks.check({ vatId, requester: site.seller.vatId, clientAddress });
  }

  /** Mails the payment link. Throws `invalid` for a draft that cannot be ordered, `conflict`, `version_conflict`. */
  async send(
    id: string,
    {
      message,
      expiresInDays,
      clientAddress,
      ...by
    }: ChangedBy & { message: string; expiresInDays: number; clientAddress: string },
  ): Promise<DraftRecord> {
    const { store, clock } = this.#deps;
    const verdict = await this.ask(toContent(await this.get(id)), clientAddress);
    return store.transact(async (tx) => {
      const draft = await tx.get(draftOrders, id);
      if (draft === undefined) throw new AppError("not_found", `There is no draft order "${id}"`);
      assertOpen(draft);
      assertVersion(draft.version, by, "draft order");
      const site = await readSite(tx);
      const { email } = draft;
      if (email === undefined) refuseWithoutEmail();
      const { quoted } = await this.price(tx, { content: toContent(draft), verdict, site });
      const sentAt = clock.now();
      const before = draft.link;
      const isMoved = before !== undefined && before.email.toLowerCase() !== email.toLowerCase();
      const renewals = (before?.renewals ?? 0) + (isMoved ? 1 : 0);
      const link = { sentAt, expiresAt: sentAt + expiresInDays * DAY_MS, email, renewals };
      const sent = {
        ...draft,
        state: "sent" as const,
        link,
        quoted,
        former: remember(draft),
        updatedAt: sentAt,
      };
      const stored = await tx.put(draftOrders, sent);
      const url = toDraftUrl(this.#deps, stored);
      const { number } = stored;
      const mail = { number, quoted, expiresAt: link.expiresAt, url, message, site, thread: id };
      await mailLink(tx, this.#deps, mail);
      await writeAudit(
        tx,
        { actor: by.actor, action: "draft_order.send", target: id, changes: [`to: ${email}`] },
        clock,
      );
      return stored;
    });
  }

  /** The payment link, to pass on. Throws `conflict` before it was sent. */
  async link(id: string): Promise<string> {
    const draft = await this.get(id);
    if (draft.link === undefined)
      throw new AppError("conflict", "This draft has no payment link yet. Send it first");
    return toDraftUrl(this.#deps, draft);
  }

  /** What it costs when it is saved; undefined where something in it has no price. */
  async #quote(tx: ReadTx, written: Written): Promise<Quoted | undefined> {
    try {
      return (await this.price(tx, { ...written, isPreview: true })).quoted;
    } catch (error) {
      if (error instanceof AppError && unpriced.has(error.code)) return undefined;
      throw error;
    }
  }
}

/** What a draft may lack while it is written. */
const unpriced: ReadonlySet<string> = new Set(["invalid", "quantity_limit", "coupon_invalid"]);

/** Throws `invalid`. */
export function refuseWithoutEmail(): never {
  throw new AppError("invalid", "The email address of the buyer is missing", {
    errors: [
      { pointer: "/email", code: "required", message: "is required before the draft is sent or placed" },
    ],
  });
}
