/** Gift cards as goods: issued when their order is paid, mailed on the day that the buyer chose. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { startOfDay } from "../../kit/time/zone-days.ts";
import { listCardsOf } from "../gift-cards/book.ts";
import { issueCard, openCode, toExpiry } from "../gift-cards/issue.ts";
import { giftInputs, isDay } from "../products/gift-inputs.ts";
import { readSite } from "../site/settings.ts";
import type { OrderLine, OrderRecord } from "./schema.ts";

type Bought = Pick<OrderRecord, "id" | "currency" | "language">;

/** Issues a card for each unit of a line. */
export async function issueCardsOf(
  tx: Tx,
  box: SecretBox,
  order: Bought,
  { line, atMs }: { readonly line: OrderLine; readonly atMs: number },
): Promise<void> {
  const { inputs, quantity, unitPrice, giftCard } = line;
  const { [giftInputs.email]: recipientEmail, [giftInputs.day]: day = "" } = inputs;
  const { timeZone } = await readSite(tx);
  const chosenMs = isDay(day) ? startOfDay(day, timeZone) : atMs;
  for (let unit = 0; unit < quantity; unit += 1)
    await issueCard(tx, box, {
      source: "order",
      orderId: order.id,
      lineId: line.id,
      currency: order.currency,
      language: order.language,
      amount: unitPrice,
      recipientEmail: recipientEmail?.toLowerCase(),
      recipientName: inputs[giftInputs.name],
      message: inputs[giftInputs.message],
      mailAt: recipientEmail === undefined ? undefined : Math.max(atMs, chosenMs),
      expiresAt: toExpiry(atMs, giftCard?.days),
      isSealed: true,
      atMs,
    });
}

/** The codes of a bought line. */
export async function readCodes(
  tx: ReadTx,
  box: SecretBox,
  { orderId, lineId }: { readonly orderId: string; readonly lineId: string },
): Promise<string[]> {
  const cards = await listCardsOf(tx, orderId, lineId);
  return cards.map((card) => openCode(box, card) ?? `••••${card.lastFour}`);
}
