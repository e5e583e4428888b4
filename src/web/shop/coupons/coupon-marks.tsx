/** Whether a coupon can be used now, and what it is worth, in words. */
import type { JSX } from "preact";
import { currentLanguage, text } from "../../app/texts.ts";
import { Badge } from "../../ui/console/pieces.tsx";
import { showMoney } from "../ui/money.ts";
import type { CouponView } from "./coupon-form.ts";

type State = "on" | "off" | "later" | "over" | "used";

function toState({ enabled, startsAt, endsAt, maxUses, used }: CouponView): State {
  const now = Date.now();
  if (!enabled) return "off";
  if (endsAt !== undefined && Date.parse(endsAt) <= now) return "over";
  if (maxUses !== undefined && used >= maxUses) return "used";
  return startsAt !== undefined && Date.parse(startsAt) > now ? "later" : "on";
}

/** The state. */
export function CouponMark({ coupon }: { coupon: CouponView }): JSX.Element {
  const state = toState(coupon);
  const kind = state === "on" ? "good" : state === "later" ? "idle" : "warn";
  return <Badge kind={kind}>{text(`shop.coupons.state.${state}`)}</Badge>;
}

/** "10 %", "€5.00". */
export function toWorth({ kind, value, currency }: CouponView): string {
  if (kind === "fixed") return showMoney(value, currency);
  const form = new Intl.NumberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: 2 });
  return form.format(value / 10_000);
}
