/** Stores an imported coupon, and takes one back. */
import type { Tx } from "../../../store/store.ts";
import { putCoupon } from "../../coupons/coupons-admin.ts";
import { toCouponKey } from "../../coupons/coupons.ts";
import { coupons, couponUses } from "../../coupons/records.ts";
import { couponRecordSchema } from "../../coupons/schema.ts";
import type { Fault } from "../faults.ts";
import { keepItem } from "../items.ts";
import type { Applied, ApplyOptions, Undone } from "../kind.ts";
import { say, sayMessage, toQuote } from "../said.ts";
import type { ImportItemRecord } from "../schema.ts";
import type { CouponDraft } from "./draft.ts";

/** The products and categories that a file names, and the names that the shop does not have. */
async function findScope(
  { products, categories, source }: CouponDraft,
  { goods, paths }: Pick<ApplyOptions, "goods" | "paths">,
): Promise<{ productIds: string[]; categoryIds: string[]; missing: string[] }> {
  const missing: string[] = [];
  const productIds: string[] = [];
  for (const name of products) {
    const found = await goods.find(name, source);
    if (found === undefined) missing.push(name);
    else productIds.push(found.product.id);
  }
  const categoryIds: string[] = [];
  for (const path of categories) {
    const id = await paths.find(path, { creates: false });
    if (id === undefined) missing.push(path.join(" > "));
    else categoryIds.push(id);
  }
  return { productIds, categoryIds, missing };
}

export async function applyCoupon(
  tx: Tx,
  draft: CouponDraft,
  { record, number, nowMs, goods, paths }: ApplyOptions,
): Promise<Applied> {
  const { line, column } = draft;
  const before = await tx.by(coupons, "byCode", [toCouponKey(draft.fields.code ?? "")]);
  if (before !== undefined && !record.options.updateExisting) return { outcome: "skipped" };
  const { missing, ...scope } = await findScope(draft, { goods, paths });
  const isKnown = missing.length === 0;
  const enabled = isKnown && draft.fields.enabled !== false;
  const coupon = await putCoupon(tx, before, { fields: { ...draft.fields, ...scope, enabled }, nowMs });
  const outcome = before === undefined ? "created" : "changed";
  await keepItem(tx, {
    importId: record.id,
    number,
    line,
    outcome,
    target: coupon,
    title: coupon.code,
    before,
    foreign: undefined,
  });
  if (isKnown) return { outcome };
  const said = say("import.coupon.off.products", { list: toQuote(missing.join(", ")) });
  const fault: Fault = { line, column, code: "disabled", ...said };
  return { outcome, notes: [fault] };
}

export async function undoCoupon(
  tx: Tx,
  { targetId, afterVersion, before }: ImportItemRecord,
  { nowMs }: { readonly nowMs: number },
): Promise<Undone> {
  const coupon = await tx.get(coupons, targetId);
  if (coupon === undefined) return { undo: "removed" };
  const { used } = coupon;
  if (before === undefined && used > 0) {
    if (coupon.enabled) await tx.put(coupons, { ...coupon, enabled: false, updatedAt: nowMs });
    return { undo: "archived", reason: sayMessage(say("import.undo.couponUsed", { count: used }).message) };
  }
  const kept = before === undefined ? undefined : couponRecordSchema.parse(JSON.parse(before));
  // Every use changes the version.
  const uses = used - (kept?.used ?? 0);
  if (coupon.version - Math.max(0, uses) > afterVersion || uses < 0)
    return { undo: "kept", reason: say("import.undo.changed") };
  if (kept !== undefined) {
    await tx.put(coupons, { ...kept, version: coupon.version, used, updatedAt: nowMs });
    return { undo: "restored" };
  }
  const { items } = await tx.list(couponUses, "byCoupon", { prefix: [targetId], limit: 1_000 });
  for (const { id } of items) await tx.remove(couponUses, id);
  await tx.remove(coupons, targetId);
  return { undo: "removed" };
}
