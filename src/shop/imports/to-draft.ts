/** Rows of one product as a draft. */
import { readAmount } from "../base/amount-text.ts";
import { sayProblem } from "./amounts.ts";
import { toDecimal } from "../base/money.ts";
import { MAX_IMAGES, MAX_VARIANTS } from "../products/schema.ts";
import { type SlugStyle, toSlug } from "../products/slug.ts";
import { isYes, readCategories, readCount, readGrams, readList, readPictures } from "./cells.ts";
import type { DraftPicture, ProductDraft } from "./drafts.ts";
import type { Fault } from "./faults.ts";
import { MAX_HTML, toMarkdown } from "./html-markdown.ts";
import type { ProductField } from "./product-columns.ts";
import {
  type ProductNotes,
  type ProductRow,
  type ProductTable,
  listOptions,
  readNotes,
} from "./product-rows.ts";
import { type Said, say, toQuote } from "./said.ts";
import type { ImportOptions } from "./schema.ts";

export interface DraftContext {
  readonly currency: string;
  readonly slugStyle: SlugStyle;
  readonly options: Pick<ImportOptions, "decimalMark" | "status">;
}

/** Without the members that say nothing. */
function defined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** What a product's rows become, with what is wrong with them. */
interface Build extends DraftContext {
  readonly table: ProductTable;
  readonly notes: ProductNotes;
  readonly faults: Fault[];
}

function note(build: Build, row: ProductRow, field: ProductField, said: Said, code = "invalid"): void {
  build.faults.push({ line: row.line, column: row.headerOf(field), code, ...said });
}

function readPrice(build: Build, row: ProductRow, field: ProductField): number | undefined {
  const cell = row.get(field);
  if (cell === undefined) return undefined;
  const named = row.get("currency") ?? build.notes.priceMark;
  const isBare = /^[\d.,'’\s]+$/u.test(cell);
  const read = readAmount(isBare && named !== "" ? `${named} ${cell}` : cell, build.currency, {
    decimalMark: build.options.decimalMark,
  });
  if ("amount" in read) return read.amount;
  note(build, row, field, sayProblem(read), read.why === "ambiguous" ? "ambiguous" : "invalid");
  return undefined;
}

/** The price, and the earlier one that is struck through. */
function readPrices(build: Build, row: ProductRow): { price?: number; compareAtPrice?: number | null } {
  const regular = readPrice(build, row, "price");
  const sale = readPrice(build, row, "salePrice");
  const before = readPrice(build, row, "compareAtPrice");
  const price = sale ?? regular;
  const earlier = sale === undefined ? before : (regular ?? before);
  return {
    ...(price === undefined ? {} : { price }),
    // Shops write the price itself, or nothing, where there is no earlier one.
    ...(earlier === undefined || price === undefined || earlier <= price ? {} : { compareAtPrice: earlier }),
  };
}

function readUnits(build: Build, row: ProductRow): number | undefined {
  const cell = row.get("stock");
  if (cell === undefined)
    return row.get("inStock") !== undefined && !isYes(row.get("inStock") ?? "") ? 0 : undefined;
  const units = readCount(cell);
  if (units === undefined) note(build, row, "stock", say("import.count", { value: toQuote(cell) }));
  return units;
}

function readWeight(build: Build, row: ProductRow): number | undefined {
  const cell = row.get("weight");
  if (cell === undefined) return undefined;
  // Shopify's unit is the one that its pages show; the column has grams.
  const unit = build.table.source === "shopify" ? "g" : (row.get("weightUnit") ?? build.notes.unit);
  const weight = readGrams(cell, unit);
  if (weight === undefined) note(build, row, "weight", say("import.weight", { value: toQuote(cell) }));
  return weight;
}

/** Whether units are counted: a number somewhere, or a shop that says that it counts. */
function isTracked(rows: readonly ProductRow[]): boolean {
  return rows.some((row) =>
    row.has("tracker")
      ? row.get("tracker") !== undefined
      : row.get("stock") !== undefined ||
        (row.get("inStock") !== undefined && !isYes(row.get("inStock") ?? "")),
  );
}

/** Only the first row of a product names its options. */
function optionsOf({ notes, table }: Build, first: ProductRow, row: ProductRow): Record<string, string> {
  const names = listOptions(first, notes, table.headers).map(({ name }) => name);
  const pairs = listOptions(row, notes, table.headers).flatMap(
    ({ name, value }, index): [string, string][] => {
      const known = name === "" ? (names[index] ?? "") : name;
      return value === "" || (known === "Title" && value === "Default Title")
        ? []
        : [[known === "" ? `Option ${index + 1}` : known.slice(0, 60), value.slice(0, 120)]];
    },
  );
  return Object.fromEntries(pairs);
}

function readVariants(
  build: Build,
  rows: readonly ProductRow[],
): { first: ProductRow; sold: readonly ProductRow[] } | undefined {
  const [first, ...others] = rows;
  if (first === undefined) return undefined;
  const isByParent = build.table.places.has("parent");
  // Rows of Shopify with a picture and nothing else are no variants.
  const isVariant = (row: ProductRow): boolean =>
    row.get("price") !== undefined ||
    row.get("sku") !== undefined ||
    Object.keys(optionsOf(build, first, row)).length > 0;
  if (isByParent) return { first, sold: others };
  const sold = rows.filter(isVariant);
  const isPlain = sold.length <= 1 && Object.keys(optionsOf(build, first, first)).length === 0;
  return { first, sold: isPlain ? [] : sold };
}

function toVariant(build: Build, first: ProductRow, row: ProductRow): Record<string, unknown> {
  const prices = readPrices(build, row);
  if (prices.price === undefined && build.faults.length === 0)
    note(build, row, "price", say("import.required"));
  return defined({
    sku: (row.get("sku") ?? "").slice(0, 80),
    options: optionsOf(build, first, row),
    ...prices,
    weightGrams: readWeight(build, row),
    onHand: readUnits(build, row),
  });
}

function readAllPictures(rows: readonly ProductRow[], sold: readonly ProductRow[]): DraftPicture[] {
  const all = new Map<string, DraftPicture & { position: number }>();
  const add = (source: string, row: ProductRow, variant?: number): void => {
    const known = all.get(source);
    if (known !== undefined) {
      if (variant !== undefined) known.variants.push(variant);
      return;
    }
    const alt = variant === undefined ? (row.get("imageAlt") ?? "").replaceAll("\n", " ").slice(0, 300) : "";
    const position = readCount(row.get("imagePosition") ?? "") ?? all.size + 1;
    all.set(source, {
      source,
      alt,
      line: row.line,
      variants: variant === undefined ? [] : [variant],
      position,
    });
  };
  const isByParent = rows[0]?.has("parent") === true;
  for (const row of rows) {
    const place = sold.indexOf(row);
    const isOwn = isByParent && place !== -1;
    for (const source of readPictures(row.get("image") ?? "")) add(source, row, isOwn ? place : undefined);
  }
  for (const [place, row] of sold.entries())
    for (const source of readPictures(row.get("variantImage") ?? "").slice(0, 1)) add(source, row, place);
  return [...all.values()].toSorted((a, b) => a.position - b.position);
}

/** How the product reaches its buyer. */
function readDelivery({ table }: Build, first: ProductRow, sold: readonly ProductRow[]): string {
  const kind = first.get("kind")?.toLowerCase() ?? "";
  if (/downloadable/u.test(kind) || table.source === "gumroad" || table.source === "lemonsqueezy")
    return "files";
  if (/virtual/u.test(kind)) return "manual";
  const needs = [first, ...sold].map((row) => row.get("shipping")).filter((cell) => cell !== undefined);
  return needs.length > 0 && !needs.some(isYes) ? "manual" : "shipping";
}

function readStatus({ options, table }: Build, first: ProductRow, delivery: string): string | undefined {
  // A product without its files would be sold empty.
  if (options.status === "draft" || delivery === "files") return "draft";
  const status = first.get("status")?.toLowerCase();
  if (status !== undefined) {
    if (/^(?:archived|archiviert|archivé|archivado|已归档)$/u.test(status)) return "archived";
    return isYes(status) ? "published" : "draft";
  }
  const published = first.get("published");
  if (published !== undefined) return isYes(published) ? "published" : "draft";
  return table.source === "columns" ? undefined : "draft";
}

function toSlugOf({ slugStyle }: Build, first: ProductRow): string {
  const [handle = "", title = "", sku = ""] = [first.get("handle"), first.get("title"), first.get("sku")];
  return toSlug(handle, slugStyle) || toSlug(title, slugStyle) || toSlug(sku);
}

/** Where the product was in its former shop. */
function readPaths(table: ProductTable, first: ProductRow): string[] {
  const handle = first.get("handle");
  const url = first.get("url") ?? "";
  const paths = URL.canParse(url) ? [new URL(url).pathname] : [];
  if (table.source === "shopify" && handle !== undefined) paths.push(`/products/${handle}`);
  // WordPress keeps the letters of scripts other than Latin.
  if (table.source === "woocommerce" && paths.length === 0)
    for (const style of ["romanize", "letters"] as const)
      paths.push(`/product/${toSlug(first.get("title") ?? "", style)}`);
  if (table.source === "gumroad" && handle !== undefined) paths.push(`/l/${handle}`);
  return paths.filter((path) => path.length > 1 && !path.endsWith("/"));
}

function describe({ currency }: Build, row: ProductRow | undefined, amount: unknown): string {
  const cell = row?.get("salePrice") ?? row?.get("price") ?? "";
  return typeof amount === "number"
    ? `${cell.slice(0, 40)} → ${toDecimal(amount, currency)} ${currency}`
    : cell.slice(0, 40);
}

function readWords(build: Build, first: ProductRow): Record<string, unknown> {
  const html = first.get("description");
  if (html !== undefined && html.length > MAX_HTML)
    note(build, first, "description", say("import.mostLong", { bound: MAX_HTML }));
  const summary = first.get("summary");
  const plain = summary === undefined ? undefined : toMarkdown(summary).slice(0, 1_000);
  return {
    title: first.get("title"),
    ...(plain === undefined ? {} : { summary: plain }),
    ...(html === undefined ? {} : { description: toMarkdown(html) }),
  };
}

/** What the first row says of the product beside its words and prices. */
function readRest(build: Build, first: ProductRow, sold: readonly ProductRow[]): Record<string, unknown> {
  const categories = readCategories(first.get("category") ?? "");
  const more = categories.slice(1).map((path) => path.at(-1) ?? "");
  const tags = [...readList(first.get("tags") ?? ""), ...more].map((tag) => tag.slice(0, 60));
  const delivery = readDelivery(build, first, sold);
  const taxable = [first, ...sold].map((row) => row.get("taxable")).find((cell) => cell !== undefined);
  const rows = sold.length === 0 ? [first] : sold;
  return {
    tags: [...new Set(tags)].slice(0, 50),
    deliveryType: delivery,
    status: readStatus(build, first, delivery),
    stockMode: isTracked(rows) ? "tracked" : "unlimited",
    ...(taxable === undefined
      ? {}
      : { taxClass: /^(?:none|false|0|no|nein)$/iu.test(taxable) ? "zero" : "standard" }),
  };
}

function noteTooMany(first: ProductRow, count: number): Fault[] {
  if (count <= MAX_IMAGES) return [];
  const said = say("import.note.pictures", { count, most: MAX_IMAGES });
  return [{ line: first.line, column: first.headerOf("image"), code: "left_out", ...said }];
}

/** Makes a draft of rows; what is wrong with them comes beside it. */
export function toDraft(
  table: ProductTable,
  rows: readonly ProductRow[],
  context: DraftContext,
): { readonly draft: ProductDraft; readonly faults: readonly Fault[] } | undefined {
  const build: Build = { table, notes: readNotes(table), faults: [], ...context };
  const found = readVariants(build, rows);
  if (found === undefined) return undefined;
  const { first, sold } = found;
  const title = first.get("title") ?? "";
  const refuse = (field: ProductField, said: Said): void => note(build, first, field, said);
  if (title === "") refuse("title", say("import.required"));
  if (/grouped|external/u.test(first.get("kind") ?? ""))
    refuse("kind", say("import.productKind", { kind: toQuote(first.get("kind") ?? "") }));
  if (sold.length > MAX_VARIANTS)
    refuse("handle", say("import.variants", { count: sold.length, most: MAX_VARIANTS }));
  const over = rows.find((row) => row.hasMore);
  if (over !== undefined) build.faults.push({ line: over.line, code: "invalid", ...say("import.cells") });
  const variants = sold.map((row) => toVariant(build, first, row));
  const prices = variants.length > 0 ? {} : readPrices(build, first);
  const own = variants.length > 0 ? {} : { ...prices, sku: first.get("sku")?.slice(0, 80) };
  const rest = readRest(build, first, sold);
  const isCounted = rest["stockMode"] === "tracked";
  const units = variants.length > 0 ? undefined : readUnits(build, first);
  const fields = defined({
    ...readWords(build, first),
    ...rest,
    ...own,
    ...(variants.length > 0 ? { variants } : isCounted ? { onHand: units ?? 0 } : {}),
    weightGrams: variants.length > 0 ? undefined : readWeight(build, first),
  });
  const pictures = readAllPictures(rows, sold);
  const foreignId = first.get(table.source === "gumroad" ? "handle" : "foreignId");
  const draft: ProductDraft = {
    line: first.line,
    lines: sold.length === 0 ? [first.line] : sold.map(({ line }) => line),
    title,
    slug: toSlugOf(build, first),
    fields,
    category: readCategories(first.get("category") ?? "")[0] ?? [],
    pictures: pictures.slice(0, MAX_IMAGES),
    paths: readPaths(table, first),
    price: describe(build, sold[0] ?? first, variants[0]?.["price"] ?? prices.price),
    foreign: foreignId === undefined ? undefined : `${table.source}:${foreignId.slice(0, 100)}`,
    notes: noteTooMany(first, pictures.length),
  };
  return { draft, faults: build.faults };
}
