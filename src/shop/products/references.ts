/** References of a product: a category, collections, pictures, other products. */
import type { FieldError } from "../../kit/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import { categories, collections } from "../categories/records.ts";
import { products } from "./records.ts";
import { checkParts } from "./bundle.ts";
import { fieldError } from "./rules.ts";
import type { ProductRecord } from "./schema.ts";

interface Change {
  readonly before: ProductRecord | undefined;
  readonly after: ProductRecord;
}

async function checkCategory(tx: ReadTx, { before, after }: Change): Promise<FieldError[]> {
  const { categoryId } = after;
  if (categoryId === undefined || categoryId === before?.categoryId) return [];
  const isThere = (await tx.get(categories, categoryId)) !== undefined;
  return isThere ? [] : [fieldError("/categoryId", "is not a category of the shop")];
}

async function checkCollections(tx: ReadTx, { before, after }: Change): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, id] of (after.collectionIds ?? []).entries()) {
    if (before?.collectionIds?.includes(id) === true) continue;
    const collection = await tx.get(collections, id);
    const pointer = `/collectionIds/${index}`;
    if (collection === undefined) errors.push(fieldError(pointer, "is not a collection of the shop"));
    else if (collection.rule !== undefined) errors.push(fieldError(pointer, "is a rule-based collection"));
  }
  return errors;
}

async function checkRelated(tx: ReadTx, { before, after }: Change): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, id] of (after.relatedIds ?? []).entries()) {
    if (before?.relatedIds?.includes(id) === true) continue;
    if (id === after.id || (await tx.get(products, id)) === undefined)
      errors.push(fieldError(`/relatedIds/${index}`, "must be the ID of another product"));
  }
  return errors;
}

function checkPictures({ after: { variants, images } }: Change): FieldError[] {
  return variants.flatMap(({ imageHash }, index) =>
    imageHash === undefined || images.some(({ hash }) => hash === imageHash)
      ? []
      : [fieldError(`/variants/${index}/imageHash`, "is not an image of this product. Add it first")],
  );
}

/** Everything that is wrong with what a product names; what it named before is left alone. */
export async function checkReferences(
  tx: ReadTx,
  { isImport, ...change }: Change & { readonly isImport: boolean },
): Promise<FieldError[]> {
  const named = [...(await checkCategory(tx, change)), ...(await checkCollections(tx, change))];
  // In an import, related products may come later; those that never come are not shown.
  if (isImport) return named;
  const { before, after } = change;
  const parts = before?.parts === after.parts ? [] : await checkParts(tx, after);
  return [...named, ...parts, ...(await checkRelated(tx, change)), ...checkPictures(change)];
}

/** Variants without the pictures that the product does not have: after one was taken off, or in an import from elsewhere. */
export function dropLostPictures({ variants, images }: ProductRecord): ProductRecord["variants"] {
  return variants.map((variant) =>
    images.some(({ hash }) => hash === variant.imageHash) ? variant : { ...variant, imageHash: undefined },
  );
}
