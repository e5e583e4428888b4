/** Texts of payment notifications. */
import { findText, text } from "../../../app/texts.ts";
import { showMoney } from "../money.ts";
import { toEventName } from "./event-names.ts";
import type { NoticeView } from "../../../../shop/payments/answer-schema.ts";

/** "Payment of €19.99". */
export function nameNotice({ type, amount, currency }: NoticeView): string {
  return text("shop.order.event.notice", {
    what: toEventName("notice", type),
    money: showMoney(amount, currency),
  });
}

/**
 * Reasons as the ledger stores them. Records of earlier releases have the second wording of each pattern.
 */
const reasons: readonly (readonly [form: RegExp, name: string])[] = [
  [/^(?:No order has this number|There is no such order)$/u, "unmatched"],
  [/^Another (?:notification with the same event|notice with this event)/u, "contradiction"],
  [/^The (?:provider reports a different|payment could not be confirmed|provider does not know)/u, "unasked"],
  [/^The service (?:says otherwise|could not be asked|does not know)/u, "unasked"],
  [/^The order (?:was canceled before the payment arrived|had been canceled)$/u, "canceled"],
  [/^The order (?:was already paid|had been paid already)$/u, "paidAlready"],
  [/^The payment (?:arrived|came) too late$/u, "late"],
  [/^The payment (?:arrived late and is less|came late, and less)/u, "lateLess"],
  [/^The payment (?:arrived|came) late, and the customer/u, "lateLimit"],
  [/^The customer (?:already has the maximum|has as many)/u, "limit"],
  [/^The payment (?:arrived after the order expired|came after the order had expired)/u, "lateStock"],
  [/^(?:The refunds exceed|More was given back)/u, "moreBack"],
  [/^(?:Underpaid: |Less was paid)/u, "less"],
  [/^(?:Overpaid: |More was paid)/u, "more"],
  [/^The (?:payment|notice) is in \w+, the order/u, "currency"],
  [/^The (?:payment is from the provider|notice is of) "/u, "method"],
  [/^(?:A refunded or charged-back amount|Money that had been taken back)/u, "returned"],
  [/^(?:The amount is zero|Nothing was (?:paid|given back))$/u, "nothing"],
];

/** Why a notice is in its state, in plain words; what the service said where there are none. */
export function toReason(reason: string): string {
  const found = reasons.find(([form]) => form.test(reason));
  return (found && findText(`shop.payments.reason.${found[1]}`)) ?? reason;
}

/** Actions for an open payment notification. */
export function toAdvice(notice: NoticeView): string {
  const found = reasons.find(([form]) => form.test(notice.reason));
  return (found && findText(`shop.payments.advice.${found[1]}`)) ?? text("shop.payments.advice.other");
}
