/** Stores a gift card that another shop sold, and takes one back. */
import type { Tx } from "../../../store/store.ts";
import { listEntries } from "../../gift-cards/book.ts";
import { toLastFour, toMac } from "../../gift-cards/codes.ts";
import { issueCard } from "../../gift-cards/issue.ts";
import { giftCardEntries, giftCards } from "../../gift-cards/records.ts";
import type { GiftCardRecord } from "../../gift-cards/schema.ts";
import { keepItem } from "../items.ts";
import type { Applied, ApplyOptions, Undone } from "../kind.ts";
import { say } from "../said.ts";
import type { ImportItemRecord } from "../schema.ts";

/** A gift card as a file describes it. */
export interface GiftCardDraft extends Pick<
  GiftCardRecord,
  "currency" | "expiresAt" | "recipientEmail" | "recipientName" | "note"
> {
  readonly line: number;
  readonly code: string;
  /** What is left on it. */
  readonly amount: number;
  readonly isDisabled: boolean;
}

/** A code as records of imports name it, which are not encrypted. */
export function toMaskedCode(code: string): string {
  return `••••${toLastFour(code)}`;
}

export async function applyGiftCard(
  tx: Tx,
  { line, code, amount, isDisabled, ...fields }: GiftCardDraft,
  { record, number, nowMs, box }: ApplyOptions,
): Promise<Applied> {
  // A second import of a file, and a card that was spent there.
  const isKnown = (await tx.by(giftCards, "byMac", [toMac(box, code)])) !== undefined;
  if (isKnown || amount === 0) return { outcome: "skipped" };
  const reason = "import";
  const issued = await issueCard(tx, box, {
    ...fields,
    code,
    amount,
    source: "import",
    isSealed: false,
    atMs: nowMs,
    reason,
  });
  const target = isDisabled
    ? await tx.put(giftCards, { ...issued.card, disabledAt: nowMs, disabledReason: "staff" })
    : issued.card;
  const title = toMaskedCode(code);
  await keepItem(tx, {
    importId: record.id,
    number,
    line,
    outcome: "created",
    target,
    title,
    foreign: undefined,
  });
  return { outcome: "created" };
}

export async function undoGiftCard(tx: Tx, { targetId, afterVersion }: ImportItemRecord): Promise<Undone> {
  const card = await tx.get(giftCards, targetId);
  if (card === undefined) return { undo: "removed" };
  if (card.version !== afterVersion) return { undo: "kept", reason: say("import.undo.changed") };
  for (const { id } of await listEntries(tx, targetId)) await tx.remove(giftCardEntries, id);
  await tx.remove(giftCards, targetId);
  return { undo: "removed" };
}
