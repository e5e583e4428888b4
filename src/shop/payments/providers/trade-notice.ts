/** What services that name orders by a trade number have in common: alipay, bepusdt, epay, tokenpay, wechat. */
import { toOrderId } from "../signing/trade-number.ts";
import { ProviderFault, type ProviderNotice } from "./provider.ts";

interface Trade extends Pick<ProviderNotice, "reference" | "amount" | "currency" | "paidAt"> {
  readonly tradeNumber: string;
}

/** The notice of a trade, with its number as the state for refunds; by default of a payment that the reference names. */
export function toTradeNotice(
  { tradeNumber, ...trade }: Trade,
  { type = "payment", eventId = trade.reference }: Partial<Pick<ProviderNotice, "type" | "eventId">> = {},
): ProviderNotice {
  return { ...trade, eventId, orderId: toOrderId(tradeNumber), type, state: { tradeNumber } };
}

/** Compares the trade that a service answered with the one that it was queried for. @throws ProviderFault */
export function assertSameTrade(answered: unknown, tradeNumber: string): void {
  if (answered === tradeNumber) return;
  throw new ProviderFault("refused", "The payment provider responded with another order", { part: "order" });
}
