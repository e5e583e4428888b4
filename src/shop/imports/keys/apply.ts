/** Stores a license key that another shop sold, and takes one back. */
import { AppError } from "../../../kit/errors.ts";
import type { Tx } from "../../../store/store.ts";
import { importLicense, removeImported } from "../../licence-keys/issue.ts";
import { SECRET_PURPOSE } from "../../licence-keys/product-secret.ts";
import { licenses } from "../../licence-keys/records.ts";
import { keepItem } from "../items.ts";
import type { Applied, ApplyOptions, Undone } from "../kind.ts";
import type { FoundProduct, ProductFinder } from "../product-finder.ts";
import { say, toQuote } from "../said.ts";
import type { ImportItemRecord } from "../schema.ts";
import { type KeyDraft, toMasked } from "./draft.ts";

async function findProduct({ products, source }: KeyDraft, goods: ProductFinder): Promise<FoundProduct> {
  for (const name of products) {
    const found = await goods.find(name, source);
    if (found !== undefined) return found;
  }
  const { message, text } = say("import.key.product", { value: toQuote(products.join(", ")) });
  throw new AppError("invalid", message, { details: { text } });
}

/** The variant that a SKU or the words of its options name; else the product. */
function toStockId({ product, variantId }: FoundProduct, variant: string | undefined): string {
  const words = variant?.toLowerCase().replaceAll(/^\(|\)$/gu, "") ?? "";
  const named = product.variants.find(({ sku, options }) => {
    const values = Object.values(options).map((value) => value.toLowerCase());
    return (
      words !== "" && (sku.toLowerCase() === words || values.join(", ") === words || values.includes(words))
    );
  });
  return variantId ?? named?.id ?? product.id;
}

export async function applyKey(
  tx: Tx,
  draft: KeyDraft,
  { record, number, nowMs, box, goods }: ApplyOptions,
): Promise<Applied> {
  const { line, value, variant, holderEmail, holderName, isDisabled, maxDevices, expiresAt, createdAt } =
    draft;
  const found = await findProduct(draft, goods);
  // A second import of a file.
  if ((await tx.count(licenses, "byMac", { prefix: [box.lookup(value, SECRET_PURPOSE)] })) > 0)
    return { outcome: "skipped" };
  const license = await importLicense(tx, box, {
    productId: found.product.id,
    stockId: toStockId(found, variant),
    value,
    holderEmail,
    holderName,
    isDisabled,
    maxDevices,
    expiresAt,
    createdAt,
    atMs: nowMs,
  });
  await keepItem(tx, {
    importId: record.id,
    number,
    line,
    outcome: "created",
    target: license,
    title: toMasked(value),
    foreign: undefined,
  });
  return { outcome: "created" };
}

export async function undoKey(tx: Tx, { targetId, afterVersion }: ImportItemRecord): Promise<Undone> {
  const license = await tx.get(licenses, targetId);
  if (license === undefined) return { undo: "removed" };
  if (license.version !== afterVersion)
    return { undo: "kept", reason: say(license.used > 0 ? "import.undo.activated" : "import.undo.changed") };
  await removeImported(tx, targetId);
  return { undo: "removed" };
}
