/** Writing a product in a running transaction, for the administrator's routes and for imports alike. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { Tx } from "../../store/store.ts";
import type { ProductFields, WholeProduct } from "./change-schema.ts";
import { checkProduct, fieldError, resolveVariants, toFilled } from "./rules.ts";
import { readParts } from "./bundle.ts";
import { checkReferences, dropLostPictures } from "./references.ts";
import { type ProductRecord, MAX_QUANTITY, stockIdsOf } from "./schema.ts";
import { addRedirect } from "../redirects/redirects.ts";
import { notePrices } from "../prices/history.ts";
import { products } from "./records.ts";
import { readSite } from "../site/settings.ts";
import { findFreeSlug } from "./slug.ts";
import { syncStock } from "./variant-stock.ts";

export interface WriteOptions {
  readonly nowMs: number;
  /** Ids of elsewhere are kept, and units of known stock may be set. */
  readonly isImport?: boolean;
  /** The id of a new product. */
  readonly id?: string;
}

/** A product with the defaults of all fields. */
function toBlank(id: string, currency: string, nowMs: number): ProductRecord {
  return {
    id,
    version: 0,
    slug: "",
    status: "draft",
    title: "",
    summary: "",
    description: "",
    images: [],
    tags: [],
    price: 0,
    currency,
    sku: "",
    variants: [],
    stockMode: "tracked",
    minQuantity: 1,
    maxQuantity: MAX_QUANTITY,
    deliveryType: "manual",
    taxClass: "standard",
    inputs: [],
    instructions: "",
    translations: {},
    sortOrder: 0,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
}

function mergePrice(base: ProductRecord, fields: ProductFields): number {
  if (fields.price !== undefined) return fields.price;
  if (fields.variants === undefined || fields.variants.length === 0) return base.price;
  return Math.min(...fields.variants.map(({ price }) => price));
}

/** Each once; an empty list is none. */
function toList(ids: readonly string[] = []): string[] | undefined {
  return ids.length === 0 ? undefined : [...new Set(ids)];
}

/** Whether a product becomes one of which there is always another. */
function isCopied({ deliveryType }: ProductFields, base: ProductRecord): boolean {
  return (deliveryType === "files" || deliveryType === "gift_card") && base.deliveryType !== deliveryType;
}

/** The fields over those of `base`; null removes one. Variants and address are not part of it. */
function mergeFields(base: ProductRecord, fields: ProductFields, nowMs: number): ProductRecord {
  const { slug: _slug, variants: _variants, onHand: _onHand, ...plain } = fields;
  const merged = { ...base, ...plain };
  return {
    ...merged,
    categoryId: merged.categoryId ?? undefined,
    tags: [...new Set(merged.tags)],
    // A copy of a file or a new code costs nothing: their stock is unlimited unless set otherwise.
    stockMode: fields.stockMode ?? (isCopied(fields, base) ? "unlimited" : base.stockMode),
    price: mergePrice(base, fields),
    compareAtPrice: merged.compareAtPrice ?? undefined,
    tierPrices: toFilled(merged.tierPrices ?? undefined),
    payWhatYouWant: merged.payWhatYouWant ?? undefined,
    parts: toFilled(merged.parts ?? undefined),
    maxPerCustomer: merged.maxPerCustomer ?? undefined,
    weightGrams: merged.weightGrams ?? undefined,
    license: merged.license ?? undefined,
    giftCard: merged.giftCard ?? undefined,
    lowStockThreshold: merged.lowStockThreshold ?? undefined,
    collectionIds: toList(merged.collectionIds),
    relatedIds: toList(merged.relatedIds),
    updatedAt: nowMs,
    publishedAt: base.publishedAt ?? (merged.status === "published" ? nowMs : undefined),
  };
}

async function resolveSlug(tx: Tx, after: ProductRecord, wanted: string | undefined): Promise<string> {
  const slug = wanted ?? after.slug;
  if (slug === "") return findFreeSlug(tx, after);
  const holder = await tx.by(products, "bySlug", [slug]);
  if (holder === undefined || holder.id === after.id) return slug;
  const message = `The slug "${slug}" is used by another product. Choose another one`;
  throw new AppError("already_exists", message, {
    errors: [{ pointer: "/slug", code: "already_exists", message: "belongs to another product" }],
  });
}

/** A bundle has no stock of its own, and is shipped if one of its parts is. */
async function toBundleFields(
  tx: Tx,
  product: ProductRecord,
): Promise<Pick<ProductRecord, "stockMode" | "deliveryType">> {
  const parts = await readParts(tx, product);
  // In an import, parts may come later.
  const isShipped =
    parts?.some((part) => part.product.deliveryType === "shipping") ?? product.deliveryType === "shipping";
  return { stockMode: "unlimited", deliveryType: isShipped ? "shipping" : "manual" };
}

async function write(
  tx: Tx,
  parts: { before: ProductRecord | undefined; base: ProductRecord; fields: ProductFields },
  options: WriteOptions,
): Promise<ProductRecord> {
  const { before, base, fields } = parts;
  const { nowMs, isImport = false } = options;
  const site = await readSite(tx);
  const existing = before?.variants ?? [];
  const resolved =
    fields.variants === undefined
      ? { variants: base.variants, onHand: new Map<string, number>(), errors: [] }
      : resolveVariants(fields.variants, { existing, isImport, nowMs });
  const own = mergeFields(base, fields, nowMs);
  const isGone = resolved.variants.length > 0 && fields.tierPrices === undefined;
  const plain = {
    ...own,
    variants: resolved.variants,
    ...(own.parts !== undefined && (await toBundleFields(tx, own))),
    // Prices of a product that gets variants.
    tierPrices: isGone ? undefined : own.tierPrices,
  };
  const merged = isImport ? { ...plain, variants: dropLostPictures(plain) } : plain;
  const errors = [
    ...resolved.errors,
    ...checkProduct(fields, { before, after: merged, site, isImport }),
    ...(await checkReferences(tx, { before, after: merged, isImport })),
  ];
  if (errors.length > 0) throw new AppError("invalid", "The product has invalid values", { errors });
  const after = { ...merged, slug: await resolveSlug(tx, merged, fields.slug) };
  const { version: _version, ...record } = after;
  const stored = before === undefined ? await tx.insert(products, record) : await tx.put(products, after);
  const onHand = new Map(resolved.onHand);
  if (fields.onHand !== undefined) for (const id of stockIdsOf(stored)) onHand.set(id, fields.onHand);
  await syncStock(tx, { before, after: stored, onHand });
  await notePrices(tx, { before, after: stored, nowMs });
  if (before !== undefined && before.slug !== stored.slug)
    await addRedirect(tx, { path: `/p/${before.slug}`, productId: stored.id, nowMs });
  return stored;
}

/**
 * Stores a new product with its stock.
 * @throws AppError `invalid`, `already_exists` for a taken address
 */
export async function insertProduct(
  tx: Tx,
  fields: WholeProduct,
  options: WriteOptions,
): Promise<ProductRecord> {
  const { currency } = await readSite(tx);
  const id = options.id ?? newId("prd", options.nowMs);
  return write(tx, { before: undefined, base: toBlank(id, currency, options.nowMs), fields }, options);
}

/**
 * Changes the fields that are there.
 * @throws AppError `invalid`, `already_exists` for a taken address, `conflict` for a variant that cannot go
 */
export function changeProduct(
  tx: Tx,
  before: ProductRecord,
  { fields, ...options }: WriteOptions & { readonly fields: ProductFields },
): Promise<ProductRecord> {
  return write(tx, { before, base: before, fields }, options);
}

/** The same for all fields: what is left out gets its default, but for the address. Pictures and the shared secret stay. */
export async function replaceProduct(
  tx: Tx,
  before: ProductRecord,
  { fields, ...options }: WriteOptions & { readonly fields: WholeProduct },
): Promise<ProductRecord> {
  const { currency } = await readSite(tx);
  const { version, slug, images, createdAt, publishedAt, sealedSharedSecret, fileCount } = before;
  const base: ProductRecord = {
    ...toBlank(before.id, currency, options.nowMs),
    version,
    slug,
    images,
    createdAt,
    publishedAt,
    sealedSharedSecret,
    fileCount,
  };
  if (fields.price === undefined && (fields.variants ?? []).length === 0) {
    const errors = [fieldError("/price", "is required without variants")];
    throw new AppError("invalid", "The product has invalid values", { errors });
  }
  return write(tx, { before, base, fields }, options);
}
