/** Coupons of a file. What a coupon here cannot do is named; a coupon that would give more than before is disabled. */
import type { CsvRow } from "../../../kit/files/csv.ts";
import { toDecimal } from "../../base/money.ts";
import { toCouponKey } from "../../coupons/coupons.ts";
import { type NewCoupon, newCouponSchema } from "../../coupons/schema.ts";
import { isYes, readCategories, readCount, readList } from "../cells.ts";
import { readDate, readEnd } from "../dates.ts";
import type { ReadContext, ReadItem } from "../kind.ts";
import { type Reading, readEach } from "../reading.ts";
import { type Said, say, sayIssue, toQuote } from "../said.ts";
import { applyCoupon } from "./apply.ts";
import type { CouponDraft } from "./draft.ts";
import { type CouponField, couponColumns } from "./columns.ts";

type Build = Reading<CouponField>;

/** What disables the coupon, since it would give more than before. */
function noteOff(build: Build, field: CouponField, said: Said): void {
  build.note(field, said, "disabled");
}

function readMoney(build: Build, field: CouponField, cell?: string): number | undefined {
  return build.readAmount(field, { cell, currency: build.get("currency") });
}

/** Hundredths of a percent. */
function readPercent(build: Build, field: CouponField, cell: string): number | undefined {
  const [, whole = "", fraction = ""] = /^(\d{1,3})(?:[.,](\d{1,4}))?\s*[%٪％]?$/u.exec(cell) ?? [];
  const value = Number(whole) * 100 + Math.round(Number(fraction.padEnd(4, "0")) / 100);
  if (whole !== "" && value >= 100 && value <= 10_000) return value;
  return build.refuse(field, say("import.coupon.percent", { value: toQuote(cell) }));
}

type Worth = Pick<NewCoupon, "kind" | "value">;

const PERCENT = /percent|prozent|pourcent|porcentaje|procent|百分/iu;
const FIXED =
  /^(?:fixed|fixed[ _]cart|fixed[ _]amount|amount|amount[ _]off|fest|betrag|fixe|fijo|fisso|固定金额|smart_coupon)$/iu;

/** The discount by the columns for one kind alone. */
function readOwnColumns(build: Build): Worth | undefined {
  const [percent, amount] = [build.row.get("percent"), build.row.get("amount")];
  if (percent !== undefined && /[1-9]/u.test(percent)) {
    const value = readPercent(build, "percent", percent);
    return value === undefined ? undefined : { kind: "percent", value };
  }
  if (amount === undefined) return undefined;
  const value = readMoney(build, "amount");
  return value === undefined ? undefined : { kind: "fixed", value };
}

function readWorth(build: Build): Worth | undefined {
  const { row, table, context } = build;
  // Shopify writes what is taken off: "-15.0".
  const cell = row.get("value")?.replace(/^[-–−]\s*/u, "");
  if (cell === undefined) {
    if (row.get("percent") !== undefined || row.get("amount") !== undefined) return readOwnColumns(build);
    return build.refuse("value", say("import.required"));
  }
  const isCents = table.source === "lemonsqueezy";
  const words = [row.get("valueType"), row.get("kind")].filter((word) => word !== undefined);
  const isPercent = /[%٪％]/u.test(cell) || words.some((word) => PERCENT.test(word));
  if (isPercent) {
    const value = readPercent(build, "value", cell);
    return value === undefined ? undefined : { kind: "percent", value };
  }
  const isFixed = words.some((word) => FIXED.test(word.trim()));
  // A number alone could be either.
  if (!isFixed && /^[\d.,]+$/u.test(cell) && row.get("currency") === undefined)
    return build.refuse(
      "value",
      say("import.coupon.value", { value: toQuote(cell), currency: context.currency }),
    );
  const value = isCents ? readCount(cell) : readMoney(build, "value", cell);
  return value === undefined ? undefined : { kind: "fixed", value };
}

const OTHER_KINDS = /buy|bxgy|app|fixed[ _]product|recurring|sign[ _]?up|store[ _]credit|gift/iu;

const SHIPPING = /^(?:free[ _-]?)?(?:shipping|versand|livraison|env[ií]o|spedizione)|versandkostenfrei/iu;

/** Kinds of discounts that coupons here do not have. */
function checkKind(build: Build): void {
  const { row } = build;
  for (const field of ["kind", "discountClass"] as const) {
    const cell = row.get(field);
    if (cell !== undefined && OTHER_KINDS.test(cell))
      build.refuse(field, say("import.coupon.kind", { kind: toQuote(cell) }), "kind");
  }
}

function readEndsAt(build: Build): number | undefined {
  // Coupons of WooCommerce expire as the day begins that they name.
  return build.readTime("endsAt", { read: build.table.source === "woocommerce" ? readDate : readEnd });
}

function readLimit(
  build: Build,
  field: "maxUses" | "maxUsesPerUser" | "used" | "itemLimit",
): number | undefined {
  const cell = build.row.get(field);
  if (cell === undefined || /^(?:unlimited|unbegrenzt|illimité|∞|-|无限)$/iu.test(cell)) return undefined;
  const count = readCount(cell);
  if (count === undefined) return build.refuse(field, say("import.count", { value: toQuote(cell) }));
  return count === 0 ? undefined : count;
}

/** Uses that are left. The former shop's uses are no orders of this one. */
function readUses(build: Build): { maxUses?: number; isUsedUp: boolean } {
  const limit = readLimit(build, "maxUses");
  const used = readLimit(build, "used") ?? 0;
  if (limit === undefined) return { isUsedUp: false };
  if (used >= limit) {
    noteOff(build, "used", say("import.coupon.off.used", { limit }));
    return { maxUses: limit, isUsedUp: true };
  }
  if (used > 0) build.note("used", say("import.coupon.rest", { used, limit, left: limit - used }), "changed");
  return { maxUses: limit - used, isUsedUp: false };
}

function readMinimum(build: Build): number | undefined {
  const cell = build.row.get("minimum");
  if (cell === undefined || /^(?:none|no minimum.*|keiner?|0+(?:[.,]0+)?)$/iu.test(cell)) return undefined;
  if (/quantit|items?\b|anzahl|stück|件/iu.test(cell)) {
    noteOff(build, "minimum", say("import.coupon.off.quantity", { value: toQuote(cell) }));
    return undefined;
  }
  if (!/\p{L}{4}/u.test(cell)) return readMoney(build, "minimum");
  // "Minimum purchase of $50.00".
  const [amount = cell] = /(?:\p{Sc}\s?)?\d[\d.,'’]*(?:\s?\p{Sc})?/u.exec(cell) ?? [];
  return readMoney(build, "minimum", amount);
}

/** Restrictions that coupons here do not have; without them, a coupon would give more than before. */
function checkRestrictions(build: Build): void {
  const { row, context } = build;
  const list = (field: CouponField): string => toQuote(readList(row.get(field) ?? "").join(", "));
  for (const field of ["excludedProducts", "excludedCategories"] as const)
    if (row.get(field) !== undefined)
      noteOff(build, field, say("import.coupon.off.excluded", { list: list(field) }));
  const selection = row.get("customers");
  if (selection !== undefined && !/^(?:all|all customers|everyone|alle|alle kunden)$/iu.test(selection))
    noteOff(build, "customers", say("import.coupon.off.customers", { list: list("customers") }));
  if (isYes(row.get("excludeSale") ?? "")) noteOff(build, "excludeSale", say("import.coupon.off.sale"));
  if (isYes(row.get("freeShipping") ?? "") && !isFreeShipping(build))
    noteOff(build, "freeShipping", say("import.coupon.off.shipping"));
  const items = readLimit(build, "itemLimit");
  if (items !== undefined) noteOff(build, "itemLimit", say("import.coupon.off.items", { count: items }));
  const most = readMoney(build, "maximum") ?? 0;
  if (most > 0) {
    const amount = `${toDecimal(most, context.currency)} ${context.currency}`;
    noteOff(build, "maximum", say("import.coupon.off.maximum", { amount }));
  }
  // Shopify's file says that there is a choice of products, and not which.
  if (/^products?$/iu.test(row.get("discountClass") ?? "") && row.get("products") === undefined)
    noteOff(build, "discountClass", say("import.coupon.off.scope"));
}

const OFF =
  /^(?:draft|trash|private|pending|disabled|inactive|deactivated|no|false|0|off|aus|inaktiv|nein|entwurf|désactivé|inactivo|停用|禁用|否)$/iu;

function toDetail({ kind, value = 0 }: NewCoupon, cell: string, currency: string): string {
  const amount = kind === "percent" ? `${value / 100} %` : `${toDecimal(value, currency)} ${currency}`;
  return `${cell.slice(0, 40)} → ${kind === "shipping" ? "0 % → 100 %" : amount}`;
}

/** Whether a coupon is for the shipping alone: by its type, or because its value is nothing. */
function isFreeShipping({ row }: Build): boolean {
  const isNamed = (["kind", "discountClass"] as const).some((field) => SHIPPING.test(row.get(field) ?? ""));
  const value = row.get("value") ?? row.get("percent") ?? row.get("amount") ?? "";
  return isNamed || (isYes(row.get("freeShipping") ?? "") && !/[1-9]/u.test(value));
}

function readOne(build: Build, code: string): ReadItem {
  const { row, table, context, faults, notes } = build;
  const isShipping = isFreeShipping(build);
  if (!isShipping) checkKind(build);
  const worth: Worth | undefined =
    faults.length > 0 ? undefined : isShipping ? { kind: "shipping", value: 0 } : readWorth(build);
  const { maxUses, isUsedUp } = readUses(build);
  checkRestrictions(build);
  const maxUsesPerUser = readLimit(build, "maxUsesPerUser");
  const isOnce = isYes(row.get("oncePerCustomer") ?? "");
  const isOff = isUsedUp || OFF.test(row.get("status") ?? "") || notes.some((one) => one.code === "disabled");
  const fields = {
    code,
    ...worth,
    minimum: readMinimum(build),
    cap: worth?.kind === "percent" ? readMoney(build, "cap") : undefined,
    startsAt: toIso(build.readTime("startsAt")),
    endsAt: toIso(readEndsAt(build)),
    maxUses,
    maxUsesPerUser: isOnce ? 1 : maxUsesPerUser,
    // Restrictions may have been noted since.
    enabled: !isOff && !notes.some((one) => one.code === "disabled"),
    note: (row.get("note") ?? "").replaceAll(/\s+/gu, " ").slice(0, 300),
  };
  if (faults.length > 0) return build.toBad(code);
  const parsed = newCouponSchema.safeParse(
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  );
  if (!parsed.success)
    return build.toBad(
      code,
      parsed.error.issues.map((issue) => ({
        line: row.line,
        column: String(issue.path[0] ?? ""),
        code: "invalid",
        ...sayIssue(issue),
      })),
    );
  const draft: CouponDraft = {
    line: row.line,
    fields: parsed.data,
    products: readList(row.get("products") ?? ""),
    categories: readCategories(row.get("categories") ?? ""),
    column: row.headerOf("products") ?? row.headerOf("categories"),
    source: table.source,
  };
  const cell = row.get("value") ?? row.get("percent") ?? row.get("amount") ?? "";
  return build.toGood({
    title: code,
    detail: toDetail(draft.fields, cell, context.currency),
    apply: (tx, options) => applyCoupon(tx, draft, options),
    columnOf: (pointer) => pointer.split("/")[1],
  });
}

function toIso(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** Reads coupons. */
export async function* readCoupons(
  open: () => AsyncIterable<CsvRow>,
  context: ReadContext,
): AsyncGenerator<ReadItem, void> {
  const lines = new Map<string, number>();
  for await (const build of readEach(open, couponColumns, context)) {
    const code = build.get("code") ?? "";
    const sayTwin = (line: number): Said => say("import.coupon.twin", { code: toQuote(code), line });
    yield build.claim("code", toCouponKey(code), { lines, sayTwin })
      ? readOne(build, code)
      : build.toBad(code);
  }
}
