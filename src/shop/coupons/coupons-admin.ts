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
import { readSite } from "../site/settings.ts";

/** 100 %, in hundredths of a percent. */
const WHOLE = 10_000;
/** 1 %. */
const PERCENT = 100;
const CODE_LENGTH = 10;

/** The coupon as it becomes; a limit that is null goes. */
function merge(base: CouponRecord, fields: CouponChange): CouponRecord {
  const next = withChange(base, fields);
  return {
    ...next,
    codeKey: toCouponKey(next.code),
    productIds: [...new Set(next.productIds)],
    categoryIds: [...new Set(next.categoryIds)],
  };
}

function checkValues(coupon: CouponRecord): FieldError[] {
  const errors: FieldError[] = [];
  const { kind, value, cap, startsAt, endsAt, codeKey } = coupon;
  if (codeKey === "") errors.push(fieldError("/code", "must not be empty"));
  if (kind === "percent" && value > WHOLE)
    errors.push(fieldError("/value", `must be at most ${WHOLE}: hundredths of a percent`));
  if (kind === "percent" && value < PERCENT)
    errors.push(fieldError("/value", `must be at least ${PERCENT}, which is 1%: 1000 is 10%`));
  if (kind === "fixed" && cap !== undefined)
    errors.push(fieldError("/cap", "is only allowed for percentage discounts"));
  if (startsAt !== undefined && endsAt !== undefined && endsAt <= startsAt)
    errors.push(fieldError("/endsAt", "must be after startsAt"));
  return errors;
}

/** Unknown members of the scope; only those that were added are looked up. */
async function checkScope(tx: ReadTx, fields: CouponChange): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, id] of (fields.productIds ?? []).entries()) {
    if ((await tx.get(products, id)) === undefined)
      errors.push(fieldError(`/productIds/${index}`, "is not a product"));
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
    code: newCodeText(CODE_LENGTH).toUpperCase(),
    codeKey: "",
    kind: fields.kind,
    value: fields.value,
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
  const errors = [...checkValues(merged), ...(await checkScope(tx, fields))];
  if (errors.length > 0) throw new AppError("invalid", "The coupon has invalid values", { errors });
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
    check: async (tx, coupon, { fields }) => {
      const errors = [...checkValues(coupon), ...(await checkScope(tx, fields))];
      if (errors.length > 0) throw new AppError("invalid", "The coupon has invalid values", { errors });
    },
    afterRemove: removeUses,
    describe: ({ code }) => [`code: ${code}`],
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
