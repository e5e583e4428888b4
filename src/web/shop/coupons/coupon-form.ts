/** A coupon as it is kept, typed and sent. */
import type { CouponRecord } from "../../../shop/coupons/schema.ts";
import type { TextName } from "../../app/texts.ts";
import { type Edited, type ParsedForm, parseWhole } from "../../ui/forms/parsed.ts";
import { parseLocal, toDateTimeText } from "../../ui/forms/local-time.ts";
import type { WithTimes } from "../../ui/forms/with-times.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { readMoney, typeMoney } from "../ui/money.ts";

export const COUPONS = "/api/admin/coupons";
const MAX_USES = 1_000_000_000;

/** As `/api/admin/coupons` gives it. */
export type CouponView = WithTimes<
  Omit<CouponRecord, "codeKey">,
  "startsAt" | "endsAt" | "createdAt" | "updatedAt"
>;

export interface CouponForm {
  readonly code: string;
  readonly kind: "percent" | "fixed";
  readonly percent: string;
  readonly amount: string;
  readonly minimum: string;
  readonly cap: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly maxUses: string;
  readonly maxUsesPerUser: string;
  readonly productIds: readonly string[];
  readonly categoryIds: readonly string[];
  readonly enabled: boolean;
  readonly note: string;
}

export interface CouponFields {
  /** Left out for a new one whose code the shop makes up. */
  readonly code?: string | undefined;
  readonly kind: "percent" | "fixed";
  readonly value: number;
  readonly minimum: number;
  readonly cap: number | null;
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly maxUses: number | null;
  readonly maxUsesPerUser: number | null;
  readonly productIds: readonly string[];
  readonly categoryIds: readonly string[];
  readonly enabled: boolean;
  readonly note: string;
}

export const couponFields = [
  ...([
    "code",
    "kind",
    "value",
    "minimum",
    "cap",
    "startsAt",
    "endsAt",
    "maxUses",
    "maxUsesPerUser",
  ] as const),
  ...(["productIds", "categoryIds", "enabled", "note"] as const),
] as const satisfies readonly (keyof CouponFields)[];

/** A new coupon as it is first shown. */
export const blankCoupon: CouponForm = {
  code: "",
  kind: "percent",
  percent: "10",
  amount: "",
  minimum: "",
  cap: "",
  startsAt: "",
  endsAt: "",
  maxUses: "",
  maxUsesPerUser: "",
  productIds: [],
  categoryIds: [],
  enabled: true,
  note: "",
};

/** Where a coupon is. */
export function toCouponPath(id: string): string {
  return `${COUPONS}/${encodeURIComponent(id)}`;
}

/** "12.5" or "12,5" percent as hundredths; undefined when it is none of 1 to 100. */
function readPercent(typed: string): number | undefined {
  const [, whole = "", fraction = ""] = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/u.exec(typed.trim()) ?? [];
  const value = Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  return whole !== "" && value >= 100 && value <= 10_000 ? value : undefined;
}

function pick(stored: CouponView): CouponFields {
  const { code, kind, value, minimum, productIds, categoryIds, enabled, note } = stored;
  return {
    code,
    kind,
    value,
    minimum,
    productIds,
    categoryIds,
    enabled,
    note,
    cap: stored.cap ?? null,
    startsAt: stored.startsAt ?? null,
    endsAt: stored.endsAt ?? null,
    maxUses: stored.maxUses ?? null,
    maxUsesPerUser: stored.maxUsesPerUser ?? null,
  };
}

function toForm(fields: CouponFields, currency: string): CouponForm {
  const { code = "", kind, value, minimum, cap, startsAt, endsAt, productIds, categoryIds } = fields;
  const type = (number: number | null): string => (number === null ? "" : String(number));
  return {
    code,
    kind,
    productIds,
    categoryIds,
    enabled: fields.enabled,
    note: fields.note,
    percent: kind === "percent" ? String(value / 100) : "",
    amount: kind === "fixed" ? typeMoney(value, currency) : "",
    minimum: minimum === 0 ? "" : typeMoney(minimum, currency),
    cap: typeMoney(cap ?? undefined, currency),
    startsAt: toDateTimeText(startsAt ?? undefined),
    endsAt: toDateTimeText(endsAt ?? undefined),
    maxUses: type(fields.maxUses),
    maxUsesPerUser: type(fields.maxUsesPerUser),
  };
}

/** What is sent of a typed coupon; `before` keeps the seconds of times that were not touched. */
export function parseCoupon(
  form: CouponForm,
  { currency, before }: { currency: string; before?: CouponFields | undefined },
): ParsedForm<CouponFields> {
  const faults = new Map<string, TextName>();
  const { code, kind, productIds, categoryIds, enabled, note } = form;
  const money = (typed: string, pointer: string): number | undefined => {
    const minor = readMoney(typed, currency);
    if (minor === undefined) faults.set(pointer, "shop.ui.fault.money");
    return minor;
  };
  const uses = (typed: string, pointer: string): number | null => {
    if (typed.trim() === "") return null;
    const count = parseWhole(typed, { min: 1, max: MAX_USES });
    if (count === undefined) faults.set(pointer, "shop.ui.fault.whole");
    return count ?? null;
  };
  const time = (typed: string, name: "startsAt" | "endsAt"): string | null => {
    if (typed === "") return null;
    const at = parseLocal(typed, before?.[name] ?? undefined);
    if (at === undefined) faults.set(`/${name}`, "shop.ui.fault.time");
    return at ?? null;
  };
  const percent = kind === "percent" ? readPercent(form.percent) : undefined;
  if (kind === "percent" && percent === undefined) faults.set("/value", "shop.coupons.fault.percent");
  const fields: CouponFields = {
    code: code.trim() === "" ? undefined : code.trim(),
    kind,
    productIds,
    categoryIds,
    enabled,
    note,
    value: (kind === "percent" ? percent : money(form.amount, "/value")) ?? 1,
    minimum: form.minimum.trim() === "" ? 0 : (money(form.minimum, "/minimum") ?? 0),
    cap: kind === "fixed" || form.cap.trim() === "" ? null : (money(form.cap, "/cap") ?? null),
    startsAt: time(form.startsAt, "startsAt"),
    endsAt: time(form.endsAt, "endsAt"),
    maxUses: uses(form.maxUses, "/maxUses"),
    maxUsesPerUser: uses(form.maxUsesPerUser, "/maxUsesPerUser"),
  };
  if (fields.startsAt !== null && fields.endsAt !== null && fields.endsAt <= fields.startsAt)
    faults.set("/endsAt", "admin.fault.after");
  return faults.size > 0 ? { ok: false, faults } : { ok: true, fields };
}

/** How a coupon is edited. */
export function toEdited(currency: string): Edited<CouponView, CouponForm, CouponFields> {
  return {
    pick,
    toForm: (fields) => toForm(fields, currency),
    parse: (form, before) => parseCoupon(form, { currency, before }),
    send: ({ id, version }, body) =>
      adminRequest<CouponView>(toCouponPath(id), { method: "PATCH", body, version }),
    reload: ({ id }) => adminRequest<CouponView>(toCouponPath(id)),
  };
}
