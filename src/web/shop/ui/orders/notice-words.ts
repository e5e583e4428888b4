/** What payment notices say, in the reader's words. */
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

/** What the ledger says in its own words, which are these. */
const reasons: readonly (readonly [form: RegExp, name: string])[] = [
  [/^There is no such order$/u, "unmatched"],
  [/^Another notice with this event/u, "contradiction"],
  [/^The service (?:says otherwise|could not be asked|does not know)/u, "unasked"],
  [/^The order had been canceled$/u, "canceled"],
  [/^The order had been paid already$/u, "paidAlready"],
  [/^The payment came too late$/u, "late"],
  [/^The payment came late, and less/u, "lateLess"],
  [/^The payment came late, and the customer/u, "lateLimit"],
  [/^The customer has as many/u, "limit"],
  [/^The payment came after the order had expired/u, "lateStock"],
  [/^More was given back/u, "moreBack"],
  [/^Less was paid/u, "less"],
  [/^More was paid/u, "more"],
  [/^The notice is in \w+, the order/u, "currency"],
  [/^The notice is of "/u, "method"],
  [/^Money that had been taken back/u, "returned"],
  [/^Nothing was (?:paid|given back)$/u, "nothing"],
];

/** Why a notice is in its state, in plain words; what the service said where there are none. */
export function toReason(reason: string): string {
  const found = reasons.find(([form]) => form.test(reason));
  return (found && findText(`shop.payments.reason.${found[1]}`)) ?? reason;
}

/** What a person can do about an open notice. */
export function toAdvice(notice: NoticeView): string {
  const found = reasons.find(([form]) => form.test(notice.reason));
  return (found && findText(`shop.payments.advice.${found[1]}`)) ?? text("shop.payments.advice.other");
}
