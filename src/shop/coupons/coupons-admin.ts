/** Coupons as administrators keep them. */
import { initialsOf, withChange } from "../../kit/fields/field-table.ts";
import { type Making, createResource } from "../../records/resource.ts";
import { type FieldError, AppError } from "../../kit/errors.ts";
import { newCodeText, newId } from "../../kit/secrets/id.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { toCouponKey } from "./coupons.ts";
import type { ShopDeps } from "../base/deps.ts";
import { couponFields } from "./fields.ts";
import type { CouponChange, CouponRecord, NewCoupon } from "./schema.ts";
import { fieldError } from "../products/rules.ts";
import { categories } from "../categories/records.ts";
import { coupons, couponUses } from "./records.ts";
import { products } from "../products/records.ts";
import { isEuOn } from "../eu/schema.ts";
import { type SiteSettings, MAX_AUTOMATIC } from "../site/schema.ts";
import { readSite, setAutomaticDiscounts } from "../site/settings.ts";

/** 100 %, in hundredths of a percent. */
const WHOLE = 10_000;
/** 1 %. */
const PERCENT = 100;
const CODE_LENGTH = 10;

/** The coupon as it becomes; a limit that is null goes. */
function merge(base: CouponRecord, fields: CouponChange): CouponRecord {
  const next = withChange(base, fields);
  const isAutomatic = next.automatic === true;
  // The key of an automatic discount is none that someone can type.
  const code = isAutomatic ? "" : next.code || newCodeText(CODE_LENGTH).toUpperCase();
  return {
    ...next,
    code,
    codeKey: isAutomatic ? next.id : toCouponKey(code),
    value: next.kind === "shipping" ? 0 : next.value,
    automatic: isAutomatic || undefined,
    stacks: next.stacks === true || undefined,
    ...(next.kind === "buy_get"
      ? {}
      : { buyQuantity: undefined, getQuantity: undefined, getProductIds: undefined }),
    countries: next.countries?.length === 0 ? undefined : next.countries,
    productIds: [...new Set(next.productIds)],
    categoryIds: [...new Set(next.categoryIds)],
  };
}

function checkValues(coupon: CouponRecord): FieldError[] {
  const errors: FieldError[] = [];
  const { kind, value, cap, startsAt, endsAt, codeKey, automatic, title = "" } = coupon;
  if (automatic === true && title === "")
    errors.push(fieldError("/title", "is required for an automatic discount: buyers see it"));
  if (kind === "fixed" && value < 1) errors.push(fieldError("/value", "must be at least 1"));
  if (codeKey === "") errors.push(fieldError("/code", "must not be empty"));
  const isPercent = kind === "percent" || kind === "buy_get";
  if (isPercent && value > WHOLE)
    errors.push(fieldError("/value", `must be at most ${WHOLE}: hundredths of a percent`));
  if (isPercent && value < PERCENT)
    errors.push(fieldError("/value", `must be at least ${PERCENT}, which is 1%: 1000 is 10%`));
  if ((kind === "fixed" || kind === "buy_get") && cap !== undefined)
    errors.push(fieldError("/cap", "is only allowed for percentages and shipping"));
  for (const name of kind === "buy_get" ? (["buyQuantity", "getQuantity"] as const) : [])
    if (coupon[name] === undefined) errors.push(fieldError(`/${name}`, "is required"));
  if (startsAt !== undefined && endsAt !== undefined && endsAt <= startsAt)
    errors.push(fieldError("/endsAt", "must be after startsAt"));
  return errors;
}

/** Unknown members of the scope; only those that were added are looked up. */
async function checkScope(tx: ReadTx, fields: CouponChange): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const name of ["productIds", "getProductIds"] as const)
    for (const [index, id] of (fields[name] ?? []).entries()) {
      if ((await tx.get(products, id)) === undefined)
        errors.push(fieldError(`/${name}/${index}`, "is not a product"));
    }
  for (const [index, id] of (fields.categoryIds ?? []).entries()) {
    if ((await tx.get(categories, id)) === undefined)
      errors.push(fieldError(`/categoryIds/${index}`, "is not a category of the shop"));
  }
  return errors;
}

async function createCoupon(fields: NewCoupon, { tx, id, nowMs }: Making): Promise<CouponRecord> {
  const { currency } = await readSite(tx);
  const blank: CouponRecord = {
    ...initialsOf(couponFields),
    id,
    version: 0,
    code: "",
    codeKey: "",
    kind: fields.kind,
    value: 0,
    currency,
    used: 0,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
  return merge(blank, fields);
}

/** Throws `conflict` for a coupon that orders use: it can be switched off. */
async function removeUses(tx: Tx, { id, used }: CouponRecord): Promise<void> {
  if (used > 0) {
    throw new AppError("conflict", `${used} orders use this coupon. Disable it instead`, {
      details: { used },
    });
  }
  const uses = await tx.list(couponUses, "byCoupon", { prefix: [id], limit: 1_000 });
  for (const use of uses.items) await tx.remove(couponUses, use.id);
}

/**
 * A discount for everyone is a price reduction by the law of the EU, with the lowest price of 30 days next to it
 * (Article 6a of Directive 98/6/EC): prices of products do that.
 */
function checkLaw(
  { automatic, kind, minimum, minimumQuantity = 1 }: CouponRecord,
  site: SiteSettings,
): FieldError[] {
  // Who buys a single unit gets nothing of "buy_get".
  const isConditional = kind === "shipping" || kind === "buy_get" || minimum > 0 || minimumQuantity > 1;
  const isForAll = automatic === true && !isConditional;
  if (!isForAll || !isEuOn(site)) return [];
  const message =
    "is required, or a minimum quantity of at least 2: under EU law, a discount on every order is a price reduction. For a sale, reduce the prices of the products, and set their compare-at prices";
  return [fieldError("/minimum", message)];
}

async function check(tx: ReadTx, coupon: CouponRecord, fields: CouponChange): Promise<void> {
  const site = await readSite(tx);
  const errors = [...checkValues(coupon), ...checkLaw(coupon, site), ...(await checkScope(tx, fields))];
  const isNew = !site.automaticDiscounts.includes(coupon.id);
  if (coupon.automatic === true && isNew && site.automaticDiscounts.length >= MAX_AUTOMATIC)
    errors.push(fieldError("/automatic", `is possible for up to ${MAX_AUTOMATIC} enabled discounts`));
  if (errors.length > 0) throw new AppError("invalid", "The coupon has invalid values", { errors });
}

/** Keeps the IDs of enabled automatic discounts in the settings, which each checkout reads anyway. */
async function syncAutomatic(tx: Tx, { id, automatic, enabled }: CouponRecord): Promise<void> {
  const { automaticDiscounts: ids } = await readSite(tx);
  const isOn = automatic === true && enabled;
  if (ids.includes(id) === isOn) return;
  await setAutomaticDiscounts(tx, isOn ? [...ids, id] : ids.filter((one) => one !== id));
}

/** Stores a new coupon, or changes one, in the caller's transaction. Throws `invalid` for values that no coupon can have. */
export async function putCoupon(
  tx: Tx,
  before: CouponRecord | undefined,
  { fields, nowMs }: { readonly fields: NewCoupon; readonly nowMs: number },
): Promise<CouponRecord> {
  const merged =
    before === undefined
      ? await createCoupon(fields, { tx, id: newId("cpn", nowMs), nowMs })
      : merge(before, fields);
  await check(tx, merged, fields);
  const coupon = { ...merged, updatedAt: nowMs };
  return before === undefined ? tx.insert(coupons, coupon) : tx.put(coupons, coupon);
}

export type CouponsAdmin = ReturnType<typeof createCouponsAdmin>;

export function createCouponsAdmin(deps: Pick<ShopDeps, "store" | "clock">) {
  const records = createResource(deps, {
    collection: coupons,
    noun: "coupon",
    idPrefix: "cpn",
    auditName: "coupon",
    unique: { index: "byCode", keyOf: ({ codeKey }) => [codeKey], field: "code" },
    orders: { newest: { index: "byCreated", reverse: true } },
    create: createCoupon,
    change: merge,
    check: (tx, coupon, { fields }) => check(tx, coupon, fields),
    afterWrite: (tx, after) => syncAutomatic(tx, after),
    afterRemove: async (tx, record) => {
      await removeUses(tx, record);
      await syncAutomatic(tx, { ...record, enabled: false });
    },
    describe: ({ code, title = "" }) => [code === "" ? `title: ${title}` : `code: ${code}`],
    derived: ["codeKey"],
  });
  return {
    ...records,
    /** By ID, or by code. Throws `not_found`. */
    get: async (idOrCode: string): Promise<CouponRecord> => {
      const byCode = await deps.store.read((tx) => tx.by(coupons, "byCode", [toCouponKey(idOrCode)]));
      return byCode ?? records.get(idOrCode);
    },
  };
}
