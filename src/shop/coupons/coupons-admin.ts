/** Coupons as administrators keep them. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { initialsOf, withChange } from "../../kit/fields/field-table.ts";
import { changedFields } from "../../kit/text/changes.ts";
import { type FieldError, AppError } from "../../kit/errors.ts";
import { newCodeText, newId } from "../../kit/secrets/id.ts";
import type { Page, PageOptions, ReadTx, Tx } from "../../store/store.ts";
import { toCouponKey } from "./coupons.ts";
import type { ShopDeps } from "../base/deps.ts";
import { couponFields } from "./fields.ts";
import type { CouponChange, CouponRecord, NewCoupon } from "./schema.ts";
import { fieldError } from "../products/rules.ts";
import { type ExpectedVersion, assertVersion } from "../products/products.ts";
import { categories } from "../categories/records.ts";
import { coupons, couponUses } from "./records.ts";
import { products } from "../products/records.ts";
import { readSite } from "../site/settings.ts";

/** 100 %, in hundredths of a percent. */
const WHOLE = 10_000;
/** 1 %. */
const PERCENT = 100;
const CODE_LENGTH = 10;

async function getCoupon(tx: ReadTx, id: string): Promise<CouponRecord> {
  const coupon = await tx.get(coupons, id);
  if (coupon === undefined) throw new AppError("not_found", "There is no such coupon");
  return coupon;
}

/** The coupon as it becomes; a limit that is null goes. */
function merge(base: CouponRecord, fields: CouponChange, nowMs: number): CouponRecord {
  const next = withChange(base, fields);
  return {
    ...next,
    codeKey: toCouponKey(next.code),
    productIds: [...new Set(next.productIds)],
    categoryIds: [...new Set(next.categoryIds)],
    updatedAt: nowMs,
  };
}

function checkValues(coupon: CouponRecord): FieldError[] {
  const errors: FieldError[] = [];
  const { kind, value, cap, startsAt, endsAt, codeKey } = coupon;
  if (codeKey === "") errors.push(fieldError("/code", "must not be empty"));
  if (kind === "percent" && value > WHOLE)
    errors.push(fieldError("/value", `must be ${WHOLE} at most: hundredths of a percent`));
  if (kind === "percent" && value < PERCENT)
    errors.push(fieldError("/value", `must be ${PERCENT} at least, which is 1 %: 1000 stands for 10 %`));
  if (kind === "fixed" && cap !== undefined)
    errors.push(fieldError("/cap", "is for percentages; the discount is fixed already"));
  if (startsAt !== undefined && endsAt !== undefined && endsAt <= startsAt)
    errors.push(fieldError("/endsAt", "must be after startsAt"));
  return errors;
}

/** What of the scope is not there; only what was given anew is looked up. */
async function checkScope(tx: ReadTx, fields: CouponChange): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, id] of (fields.productIds ?? []).entries()) {
    if ((await tx.get(products, id)) === undefined)
      errors.push(fieldError(`/productIds/${index}`, "is no product"));
  }
  for (const [index, id] of (fields.categoryIds ?? []).entries()) {
    if ((await tx.get(categories, id)) === undefined)
      errors.push(fieldError(`/categoryIds/${index}`, "is no category of the site"));
  }
  return errors;
}

async function assertGood(tx: ReadTx, coupon: CouponRecord, fields: CouponChange): Promise<void> {
  const errors = [...checkValues(coupon), ...(await checkScope(tx, fields))];
  if (errors.length > 0)
    throw new AppError("invalid", "The coupon has values that are not valid", { errors });
  const holder = await tx.by(coupons, "byCode", [coupon.codeKey]);
  if (holder === undefined || holder.id === coupon.id) return;
  throw new AppError("already_exists", "Another coupon has this code", {
    errors: [{ pointer: "/code", code: "already_exists", message: "belongs to another coupon" }],
  });
}

async function insertCoupon(tx: Tx, fields: NewCoupon, nowMs: number): Promise<CouponRecord> {
  const { currency } = await readSite(tx);
  const blank: CouponRecord = {
    ...initialsOf(couponFields),
    id: newId("cpn", nowMs),
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
  const coupon = merge(blank, fields, nowMs);
  await assertGood(tx, coupon, fields);
  return tx.insert(coupons, coupon);
}

async function removeCoupon(tx: Tx, id: string): Promise<CouponRecord> {
  const coupon = await getCoupon(tx, id);
  if (coupon.used > 0) {
    throw new AppError("conflict", `${coupon.used} orders use the coupon; switch it off instead`, {
      details: { used: coupon.used },
    });
  }
  const uses = await tx.list(couponUses, "byCoupon", { prefix: [id], limit: 1_000 });
  for (const use of uses.items) await tx.remove(couponUses, use.id);
  await tx.remove(coupons, id);
  return coupon;
}

/** The administration of coupons. */
export class CouponsAdmin {
  readonly #store: ShopDeps["store"];
  readonly #clock: ShopDeps["clock"];

  constructor({ store, clock }: Pick<ShopDeps, "store" | "clock">) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The newest first. Throws `bad_cursor`. */
  list(page: PageOptions): Promise<Page<CouponRecord>> {
    return this.#store.read((tx) => tx.list(coupons, "byCreated", { ...page, reverse: true }));
  }

  /** By id, or by code. Throws `not_found`. */
  get(idOrCode: string): Promise<CouponRecord> {
    return this.#store.read(
      async (tx) =>
        (await tx.by(coupons, "byCode", [toCouponKey(idOrCode)])) ?? (await getCoupon(tx, idOrCode)),
    );
  }

  /** Makes up a code when none is given. Throws `invalid`, `already_exists` for a taken code. */
  create(fields: NewCoupon, actor: AuditActor): Promise<CouponRecord> {
    return this.#store.transact(async (tx) => {
      const coupon = await insertCoupon(tx, fields, this.#clock.now());
      const changes = [`code: ${coupon.code}`];
      await writeAudit(tx, { actor, action: "coupon.create", target: coupon.id, changes }, this.#clock);
      return coupon;
    });
  }

  /** Throws `not_found`, `invalid`, `already_exists`, `version_conflict`, `stale_version`. */
  change(
    id: string,
    { fields, actor, ...expected }: ExpectedVersion & { fields: CouponChange; actor: AuditActor },
  ): Promise<CouponRecord> {
    return this.#store.transact(async (tx) => {
      const before = await getCoupon(tx, id);
      assertVersion(before.version, expected);
      const after = merge(before, fields, this.#clock.now());
      await assertGood(tx, after, fields);
      const changes = changedFields(before, after).filter(
        (name) => name !== "updatedAt" && name !== "codeKey",
      );
      await writeAudit(tx, { actor, action: "coupon.change", target: id, changes }, this.#clock);
      return tx.put(coupons, after);
    });
  }

  /** Throws `not_found`, and `conflict` for one that orders use: it can be switched off. */
  remove(id: string, actor: AuditActor): Promise<void> {
    return this.#store.transact(async (tx) => {
      const { code } = await removeCoupon(tx, id);
      const changes = [`code: ${code}`];
      await writeAudit(tx, { actor, action: "coupon.delete", target: id, changes }, this.#clock);
    });
  }
}
