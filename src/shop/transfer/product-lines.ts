/** Products of an import with the lines that they came from. */
import { splitLines } from "../../kit/text/byte-lines.ts";
import { AppError } from "../../kit/errors.ts";
import { toIssueText } from "../../kit/text/validation.ts";
import { parseStrictJson } from "../../kit/text/strict-json.ts";
import { type ProductFields, productFieldsSchema } from "../products/change-schema.ts";
import type { ProductDetails } from "../products/products.ts";

const MAX_LINE_BYTES = 1_048_576;
const AMOUNTS: ReadonlySet<string> = new Set(["price", "compareAtPrice"]);
const MINOR_UNITS =
  "must be a whole number of the currency's smallest unit: 1999 for 19.99. For 19.99, name the column priceDecimal";
const PRODUCT_ID = /^prd_[0-9a-z]{26}$/u;

/** Something that is wrong with a line. */
export interface LineError {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

/** A product as it was read, before its values were checked. */
export interface RawItem {
  /** The line of the product, or of each of its variants. */
  readonly lines: readonly number[];
  readonly id: string | undefined;
  readonly fields: unknown;
}

export type ImportItem = Omit<RawItem, "fields"> & { readonly fields: ProductFields };

/** The line of a value, by the path to it. */
function lineOf({ lines }: Pick<RawItem, "lines">, path: readonly PropertyKey[]): number {
  const index = path[0] === "variants" && lines.length > 1 ? Number(path[1] ?? 0) : 0;
  return lines[index] ?? lines[0] ?? 0;
}

export function toLineErrors(item: Pick<RawItem, "lines">, error: AppError): LineError[] {
  if (error.errors.length === 0)
    return [{ line: lineOf(item, []), code: error.code, message: error.message }];
  return error.errors.map(({ pointer, code, message }) => {
    const path = pointer.split("/").slice(1);
    return { line: lineOf(item, path), code, message: `${path.join(".")}: ${message}` };
  });
}

/** Checks the values of a product. */
export function parseItem(raw: RawItem): ImportItem | LineError[] {
  const { lines, id } = raw;
  const parsed = productFieldsSchema.safeParse(raw.fields);
  if (!parsed.success) {
    return parsed.error.issues.map((issue) => {
      const { path } = issue;
      const isAmount = issue.code === "invalid_type" && AMOUNTS.has(String(path.at(-1)));
      const message = isAmount ? MINOR_UNITS : toIssueText(issue);
      return {
        line: lineOf(raw, path),
        code: "invalid",
        message: path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`,
      };
    });
  }
  if (id !== undefined && !PRODUCT_ID.test(id))
    return [{ line: lineOf(raw, []), code: "invalid", message: "id: must be the ID of a product" }];
  return { lines, id, fields: parsed.data };
}

function readLine(number: number, line: Uint8Array): RawItem | LineError {
  const refuse = (code: string, message: string): LineError => ({ line: number, code, message });
  if (line.length > MAX_LINE_BYTES)
    return refuse("too_large", `The line is longer than ${MAX_LINE_BYTES} bytes`);
  let value: unknown;
  try {
    value = parseStrictJson(line);
  } catch (error) {
    if (error instanceof AppError) return refuse(error.code, error.message);
    throw error;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse("invalid", "The line is not a JSON object");
  const members: Record<string, unknown> = Object.fromEntries(Object.entries(value));
  const { id, ...fields } = members;
  if (id !== undefined && typeof id !== "string") return refuse("invalid", "id: must be text");
  return { lines: [number], id, fields };
}

/** Reads NDJSON: a product on each line. */
export async function* readNdjson(bytes: Uint8Array): AsyncGenerator<RawItem | LineError, void> {
  for (const { number, line } of splitLines(bytes)) {
    yield readLine(number, line);
    // Lets other requests in.
    if (number % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** A product as a line of NDJSON, in the form that an import takes. */
export function toNdjsonLine({ product, stock }: ProductDetails): string {
  const { version: _version, images: _images, sealedSharedSecret: _sealed, ...rest } = product;
  const { createdAt: _created, updatedAt: _updated, publishedAt: _published, variants, ...fields } = rest;
  const isKeyed = product.deliveryType === "auto_secret";
  const unitsOf = (id: string): number | undefined => (isKeyed ? undefined : (stock.get(id)?.onHand ?? 0));
  return `${JSON.stringify({
    ...fields,
    categoryId: product.categoryId ?? null,
    compareAtPrice: product.compareAtPrice ?? null,
    tierPrices: product.tierPrices ?? null,
    payWhatYouWant: product.payWhatYouWant ?? null,
    parts: product.parts ?? null,
    maxPerCustomer: product.maxPerCustomer ?? null,
    weightGrams: product.weightGrams ?? null,
    lowStockThreshold: product.lowStockThreshold ?? null,
    collectionIds: product.collectionIds ?? [],
    relatedIds: product.relatedIds ?? [],
    variants: variants.map((variant) => ({
      ...variant,
      compareAtPrice: variant.compareAtPrice ?? null,
      tierPrices: variant.tierPrices ?? null,
      imageHash: variant.imageHash ?? null,
      weightGrams: variant.weightGrams ?? null,
      onHand: unitsOf(variant.id),
    })),
    onHand: variants.length === 0 ? unitsOf(product.id) : undefined,
  })}\n`;
}
