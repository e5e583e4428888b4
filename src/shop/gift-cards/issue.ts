/** New gift cards: of paid orders, of staff, of other shops. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { Tx } from "../../store/store.ts";
import { openCard } from "./book.ts";
import { CODE_PURPOSE, newCode, toLastFour, toMac } from "./codes.ts";
import { giftCards } from "./records.ts";
import type { GiftCardRecord } from "./schema.ts";

const DAY_MS = 86_400_000;

/** A card to be issued. */
export interface NewCard extends Pick<
  GiftCardRecord,
  | ("currency" | "source" | "orderId" | "lineId" | "recipientEmail" | "recipientName" | "message")
  | ("language" | "mailAt" | "expiresAt")
> {
  readonly amount: number;
  readonly note?: string | undefined;
  /** Its code; one is made up without it. */
  readonly code?: string | undefined;
  /** The order or an email shows the code later. */
  readonly isSealed: boolean;
  readonly atMs: number;
  readonly who?: string | undefined;
  readonly reason?: string | undefined;
}

/** Issues a card; resolves with it and its code. Throws `already_exists` for a code that another card has. */
export async function issueCard(
  tx: Tx,
  box: SecretBox,
  { code = newCode(), amount, isSealed, atMs, who, reason, note = "", ...card }: NewCard,
): Promise<{ readonly card: GiftCardRecord; readonly code: string }> {
  const mac = toMac(box, code);
  if ((await tx.by(giftCards, "byMac", [mac])) !== undefined)
    throw new AppError("already_exists", "Another gift card has this code", {
      errors: [{ pointer: "/code", code: "already_exists", message: "belongs to another gift card" }],
    });
  const stored = await openCard(
    tx,
    {
      id: newId("gft", atMs),
      mac,
      lastFour: toLastFour(code),
      sealed: isSealed ? box.seal(code, CODE_PURPOSE) : undefined,
      currency: card.currency,
      initial: amount,
      balance: amount,
      expiresAt: card.expiresAt,
      source: card.source,
      orderId: card.orderId,
      lineId: card.lineId,
      recipientEmail: card.recipientEmail,
      recipientName: card.recipientName,
      message: card.message,
      language: card.language,
      mailAt: card.mailAt,
      note,
      createdAt: atMs,
      updatedAt: atMs,
    },
    { who, reason },
  );
  return { card: stored, code };
}

/** When a card that is valid for a number of days expires. */
export function toExpiry(atMs: number, days: number | undefined): number | undefined {
  return days === undefined ? undefined : atMs + days * DAY_MS;
}

/** The code of a card; undefined where the store keeps its hash alone. */
export function openCode(box: SecretBox, { sealed }: Pick<GiftCardRecord, "sealed">): string | undefined {
  return sealed === undefined ? undefined : box.open(sealed, CODE_PURPOSE);
}
