/** Gift cards for administrators. */
import { AppError } from "../../kit/errors.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { type ExpectedVersion, assertVersion } from "../../records/versions.ts";
import { scanMatches } from "../../store/matching-page.ts";
import type { Page, PageOptions, ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { MAX_AMOUNT, toDecimal } from "../base/money.ts";
import { readSite } from "../site/settings.ts";
import { changeBalance, listEntries } from "./book.ts";
import type { GiftCardChange, NewGiftCard } from "./change-schema.ts";
import { toLastFour, toMac } from "./codes.ts";
import { issueCard, openCode } from "./issue.ts";
import { giftCards } from "./records.ts";
import type { GiftCardEntry, GiftCardRecord } from "./schema.ts";

export const giftCardStates = ["active", "empty", "expired", "disabled"] as const;
export type GiftCardState = (typeof giftCardStates)[number];

export interface GiftCardQuery extends PageOptions {
  /** The whole code, its last four characters, or a part of the recipient's email address or of the note. */
  readonly q?: string | undefined;
  readonly state?: GiftCardState | undefined;
  readonly orderId?: string | undefined;
}

/** A card with its book, the oldest entry first. */
export interface BookedCard {
  readonly card: GiftCardRecord;
  readonly entries: readonly GiftCardEntry[];
}

export function toState(
  { disabledAt, expiresAt = Infinity, balance }: GiftCardRecord,
  nowMs: number,
): GiftCardState {
  if (disabledAt !== undefined) return "disabled";
  if (balance === 0) return "empty";
  return nowMs >= expiresAt ? "expired" : "active";
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box">;

function hasWords(
  { recipientEmail = "", recipientName = "", note, lastFour }: GiftCardRecord,
  q: string,
): boolean {
  const words = q.trim().toLowerCase();
  return (
    lastFour.toLowerCase() === words ||
    [recipientEmail, recipientName, note].some((text) => text.toLowerCase().includes(words))
  );
}

async function getCard(tx: ReadTx, id: string): Promise<GiftCardRecord> {
  const card = await tx.get(giftCards, id);
  if (card === undefined) throw new AppError("not_found", "This gift card does not exist");
  return card;
}

async function withBook(tx: ReadTx, card: GiftCardRecord): Promise<BookedCard> {
  return { card, entries: await listEntries(tx, card.id) };
}

/** The administration of gift cards. */
export class GiftCardsAdmin {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The newest first. Throws `bad_cursor`. */
  list({ q = "", state, orderId, limit, cursor }: GiftCardQuery): Promise<Page<GiftCardRecord>> {
    const { store, box, clock } = this.#deps;
    return store.read(async (tx) => {
      const whole = q.trim() === "" ? undefined : await tx.by(giftCards, "byMac", [toMac(box, q)]);
      if (whole !== undefined) return { items: [whole] };
      const [index, prefix] =
        orderId === undefined ? (["byCreated", []] as const) : (["byLine", [orderId]] as const);
      const isWanted = (card: GiftCardRecord): boolean =>
        (state === undefined || toState(card, clock.now()) === state) &&
        (q.trim() === "" || hasWords(card, q));
      const read = (page: PageOptions): Promise<Page<GiftCardRecord>> =>
        tx.list(giftCards, index, { prefix, reverse: true, limit: page.limit, cursor: page.cursor });
      return scanMatches({ read, isWanted, limit, cursor, maxScanned: 4_000 });
    });
  }

  /** Throws `not_found`. */
  get(id: string): Promise<BookedCard> {
    return this.#deps.store.read(async (tx) => withBook(tx, await getCard(tx, id)));
  }

  /** Issues a card that staff gives away. */
  create(fields: NewGiftCard, actor: AuditActor): Promise<BookedCard> {
    const { store, clock, box } = this.#deps;
    return store.transact(async (tx) => {
      const atMs = clock.now();
      const { currency, languages } = await readSite(tx);
      const { amount, note, recipientName, message, expiresAt } = fields;
      // Forms send what was left empty.
      const recipientEmail = fields.recipientEmail || undefined;
      const { card } = await issueCard(tx, box, {
        source: "staff",
        amount,
        currency,
        note,
        expiresAt,
        recipientEmail,
        recipientName: recipientName || undefined,
        message: message || undefined,
        language: languages[0],
        mailAt: recipientEmail === undefined ? undefined : atMs,
        isSealed: true,
        atMs,
        who: actor.name,
        reason: note,
      });
      const changes = [`amount: ${toDecimal(amount, currency)} ${currency}`, `note: ${note}`];
      await writeAudit(tx, { actor, action: "gift-card.create", target: card.id, changes }, clock);
      return withBook(tx, card);
    });
  }

  /** Throws `not_found`, `version_conflict`, `stale_version`. */
  change(
    id: string,
    {
      actor,
      disabled,
      expiresAt,
      note,
      ...expected
    }: GiftCardChange & ExpectedVersion & { readonly actor: AuditActor },
  ): Promise<BookedCard> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const before = await getCard(tx, id);
      assertVersion(before.version, expected);
      const atMs = clock.now();
      const isDisabled = disabled ?? before.disabledAt !== undefined;
      const card = await tx.put(giftCards, {
        ...before,
        expiresAt: expiresAt === undefined ? before.expiresAt : (expiresAt ?? undefined),
        note: note ?? before.note,
        disabledAt: isDisabled ? (before.disabledAt ?? atMs) : undefined,
        disabledReason: isDisabled ? (before.disabledReason ?? "staff") : undefined,
        updatedAt: atMs,
      });
      const names = Object.entries({ disabled, expiresAt, note }).filter(([, value]) => value !== undefined);
      const changes = names.map(([name, value]) =>
        name === "disabled" ? `${name}: ${String(value)}` : name,
      );
      await writeAudit(tx, { actor, action: "gift-card.change", target: id, changes }, clock);
      return withBook(tx, card);
    });
  }

  /** Changes the balance. Throws `not_found`, `version_conflict`, `invalid` for more than the card has. */
  adjust(
    id: string,
    {
      amount,
      reason,
      actor,
      ...expected
    }: ExpectedVersion & {
      readonly amount: number;
      readonly reason: string;
      readonly actor: AuditActor;
    },
  ): Promise<BookedCard> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const before = await getCard(tx, id);
      assertVersion(before.version, expected);
      const { balance, currency } = before;
      if (balance + amount < 0 || balance + amount > MAX_AMOUNT) {
        const message = `must be at least ${-balance}: the card has ${toDecimal(balance, currency)} ${currency}`;
        throw new AppError("invalid", `amount ${message}`, {
          errors: [{ pointer: "/amount", code: "invalid", message }],
        });
      }
      const entry = { kind: "adjusted", amount, who: actor.name, reason, atMs: clock.now() } as const;
      const card = await changeBalance(tx, before, entry);
      const changes = [`amount: ${toDecimal(amount, currency)} ${currency}`, `reason: ${reason}`];
      await writeAudit(tx, { actor, action: "gift-card.adjust", target: id, changes }, clock);
      return withBook(tx, card);
    });
  }

  /** The code, for staff who gives it to the holder; noted in the audit. Throws `not_found`, and `conflict` where only its hash is kept. */
  reveal(id: string, actor: AuditActor): Promise<string> {
    const { store, clock, box } = this.#deps;
    return store.transact(async (tx) => {
      const card = await getCard(tx, id);
      const code = openCode(box, card);
      if (code === undefined)
        throw new AppError("conflict", "The store keeps only a hash of this code. Its holder has the code");
      await writeAudit(
        tx,
        { actor, action: "gift-card.reveal", target: id, changes: [toLastFour(code)] },
        clock,
      );
      return code;
    });
  }
}
