/** Stores one product of a file. */
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { type ProductFields, wholeProductSchema } from "../products/change-schema.ts";
import type { ProductRecord } from "../products/schema.ts";
import { readDetails } from "../products/products.ts";
import { products } from "../products/records.ts";
import { changeProduct, insertProduct } from "../products/writes.ts";
import { addRedirect } from "../redirects/redirects.ts";
import type { ProductDraft } from "./drafts.ts";
import { keepItem } from "./items.ts";
import type { Applied, ApplyOptions } from "./kind.ts";
import { importPictures } from "./records.ts";

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** Variants of the file as those that the product has: by SKU, else by the same options. */
function withIds(fields: ProductFields, before: ProductRecord): ProductFields {
  const { variants } = fields;
  if (variants === undefined) return fields;
  const taken = new Set<string>();
  const named = variants.map((variant) => {
    const bySku = before.variants.find(({ sku, id }) => sku !== "" && sku === variant.sku && !taken.has(id));
    const found =
      bySku ?? before.variants.find(({ id, options }) => !taken.has(id) && isSame(options, variant.options));
    if (found === undefined) return variant;
    taken.add(found.id);
    return { ...variant, id: found.id };
  });
  return { ...fields, variants: named };
}

/** Keys are counted by themselves; how a product is delivered and whether it is on sale is no longer the file's matter. */
function toChange(fields: ProductFields, before: ProductRecord): ProductFields {
  const { status: _status, deliveryType: _delivery, onHand, stockMode, ...rest } = withIds(fields, before);
  if (before.deliveryType === "auto_secret") {
    const variants = rest.variants?.map(({ onHand: _units, ...variant }) => variant);
    return variants === undefined ? rest : { ...rest, variants };
  }
  return { ...rest, onHand, stockMode };
}

async function write(
  tx: Tx,
  { draft, fields }: { readonly draft: ProductDraft; readonly fields: ProductFields },
  {
    nowMs,
    before,
    categoryId,
  }: { nowMs: number; before: ProductRecord | undefined; categoryId: string | undefined },
): Promise<ProductRecord> {
  const named = categoryId === undefined ? fields : { ...fields, categoryId };
  if (before !== undefined)
    return changeProduct(tx, before, { fields: toChange(named, before), nowMs, isImport: true });
  const slug = draft.slug === "" ? undefined : draft.slug;
  const whole = wholeProductSchema.safeParse({ ...named, slug });
  if (!whole.success)
    throw new AppError("invalid", "The product has invalid values", {
      errors: [{ pointer: "/title", code: "invalid", message: "is required for a new product" }],
    });
  return insertProduct(tx, whole.data, { nowMs, isImport: true });
}

async function planPictures(
  tx: Tx,
  { pictures }: ProductDraft,
  {
    product,
    itemId,
    importId,
    nowMs,
  }: { product: ProductRecord; itemId: string; importId: string; nowMs: number },
): Promise<void> {
  for (const [index, { source, alt, line, variants }] of pictures.entries())
    await tx.insert(importPictures, {
      id: `${itemId}:${String(index).padStart(3, "0")}`,
      importId,
      itemId,
      state: "waiting",
      source: source.slice(0, 2_000),
      alt,
      line,
      productId: product.id,
      variantIds: variants.flatMap((place) => product.variants[place]?.id ?? []),
      tries: 0,
      nextTryAt: nowMs,
    });
}

/** Stores a product with what undoes it. Throws AppError for the shop's rules. */
export async function applyProduct(
  tx: Tx,
  read: { readonly draft: ProductDraft; readonly fields: ProductFields },
  { record, number, nowMs, paths }: ApplyOptions,
): Promise<Applied> {
  const { draft } = read;
  const { options, id: importId } = record;
  const before = draft.slug === "" ? undefined : await tx.by(products, "bySlug", [draft.slug]);
  if (before !== undefined && !options.updateExisting) return { outcome: "skipped" };
  const kept = before === undefined ? undefined : await readDetails(tx, before);
  const categoryId = await paths.find(draft.category, { creates: options.createCategories });
  const product = await write(tx, read, { nowMs, before, categoryId });
  const units = kept && Object.fromEntries([...kept.stock].map(([id, { onHand }]) => [id, onHand]));
  const outcome = before === undefined ? "created" : "changed";
  const itemId = await keepItem(tx, {
    importId,
    number,
    line: draft.line,
    outcome,
    target: product,
    title: product.title,
    before: before && { product: before, units },
    foreign: draft.foreign,
  });
  await planPictures(tx, draft, { product, itemId, importId, nowMs });
  if (options.redirects)
    for (const path of draft.paths) await addRedirect(tx, { path, productId: product.id, importId, nowMs });
  return { outcome };
}
