/** Products as rows of a table: one row a variant, or one for a product without variants. */
import { type CsvStyle, csvStyles } from "../../kit/files/csv-line.ts";
import type { CsvRow } from "../../kit/files/csv.ts";
import { readAmount } from "../base/amount-text.ts";
import { toDecimal } from "../base/money.ts";
import type { ProductDetails } from "../products/products.ts";
import type { TierPrice } from "../products/schema.ts";
import type { LineError, RawItem } from "./product-lines.ts";

/** The columns in the order of an export. Amounts are minor units. */
export const productColumns = [
  "id",
  "slug",
  "status",
  "title",
  "summary",
  "description",
  "categoryId",
  "tags",
  "price",
  "compareAtPrice",
  "currency",
  "sku",
  "stockMode",
  "minQuantity",
  "maxQuantity",
  "maxPerCustomer",
  "deliveryType",
  "taxClass",
  "weightGrams",
  "excludedFromWithdrawal",
  "inputs",
  "instructions",
  "translations",
  "sortOrder",
  "collectionIds",
  "relatedIds",
  "lowStockThreshold",
  "variantId",
  "variantSku",
  "variantOptions",
  "variantPrice",
  "variantCompareAtPrice",
  "variantImage",
  "variantWeightGrams",
  "onHand",
  "tierPrices",
  "variantTierPrices",
  "payWhatYouWant",
  "parts",
] as const;

/** Columns with prices as people write them, and the matching columns in minor units. */
const decimalColumns: ReadonlyMap<string, string> = new Map([
  ["priceDecimal", "price"],
  ["compareAtPriceDecimal", "compareAtPrice"],
  ["tierPricesDecimal", "tierPrices"],
  ["variantPriceDecimal", "variantPrice"],
  ["variantCompareAtPriceDecimal", "variantCompareAtPrice"],
  ["variantTierPricesDecimal", "variantTierPrices"],
  ["payWhatYouWantDecimal", "payWhatYouWant"],
]);
/** Cells such as "10=900|50=800": a price for each quantity that it begins at. */
const tierColumns: ReadonlySet<string> = new Set(["tierPrices", "variantTierPrices"]);
/** Cells with more than one amount; the last one is "200|5000", the least and the most. */
const amountLists: ReadonlySet<string> = new Set([...tierColumns, "payWhatYouWant"]);

const known: ReadonlySet<string> = new Set([...productColumns, ...decimalColumns.keys()]);

/** Whether a cell is the name of a column. */
export function isProductColumn(cell: string): boolean {
  return known.has(cell);
}

const variantColumns = [
  "variantId",
  "variantSku",
  "variantOptions",
  "variantPrice",
  "variantCompareAtPrice",
  "variantTierPrices",
  "variantImage",
  "variantWeightGrams",
];
const keyColumns: ReadonlySet<string> = new Set(["id", "slug", "onHand", ...variantColumns]);
const numbers: ReadonlySet<string> = new Set([
  "price",
  "compareAtPrice",
  "minQuantity",
  "maxQuantity",
  "maxPerCustomer",
  "weightGrams",
  "sortOrder",
  "lowStockThreshold",
]);
/** An empty cell of these takes the value away; of all others it says nothing. */
const nullable: ReadonlySet<string> = new Set(
  "categoryId compareAtPrice tierPrices payWhatYouWant parts maxPerCustomer weightGrams lowStockThreshold".split(
    " ",
  ),
);
const lists: ReadonlySet<string> = new Set(["tags", "collectionIds", "relatedIds"]);
const clearable: ReadonlySet<string> = new Set(["summary", "description", "sku", "instructions"]);

/** Parts of a cell are divided by "|", names from values by "="; one inside a part has a backslash before it. */
function escapePart(part: string): string {
  return part.replaceAll(/[\\|=]/gu, String.raw`\$&`);
}

function unescapePart(part: string): string {
  return part.replaceAll(/\\(.)/gsu, "$1").trim();
}

/** Splits at a divider that has no backslash before it; parts stay escaped. */
function splitAt(cell: string, divider: "|" | "="): string[] {
  const parts = [""];
  for (let at = 0; at < cell.length; at += 1) {
    const character = cell.charAt(at);
    if (character === divider) {
      parts.push("");
      continue;
    }
    const length = character === "\\" ? 2 : 1;
    parts[parts.length - 1] += cell.slice(at, at + length);
    at += length - 1;
  }
  return parts.filter((part) => divider === "=" || part.trim() !== "");
}

function toNumber(cell: string): number | string {
  return /^-?\d{1,15}$/u.test(cell.trim()) ? Number(cell) : cell;
}

/** "true" and "false" as spreadsheets write them in their languages. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["true", "wahr", "vrai", "verdadero", "verdadeiro", "vero", "waar", "prawda", "真", "是", "1"].map(
    (word) => [word, true] as const,
  ),
  ...["false", "falsch", "faux", "falso", "onwaar", "fałsz", "假", "否", "0"].map(
    (word) => [word, false] as const,
  ),
]);

function toBoolean(cell: string): boolean | string {
  return booleans.get(cell.trim().toLowerCase()) ?? cell;
}

function readJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

/** "size=L|color=red" as an object; a part without exactly one "=" makes it invalid. */
function readOptions(cell: string): unknown {
  const pairs = splitAt(cell, "|").map((part) => splitAt(part, "=").map(unescapePart));
  if (pairs.some((pair) => pair.length !== 2)) return cell;
  return Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, value]));
}

/** "10=900|50=800" as a list; a part that is no such pair makes it invalid. */
function readTiers(cell: string): unknown {
  const pairs = splitAt(cell, "|").map((part) => splitAt(part, "=").map(unescapePart));
  if (pairs.some((pair) => pair.length !== 2)) return cell;
  return pairs.map(([from = "", price = ""]) => ({ from: toNumber(from), price: toNumber(price) }));
}

/** "prd_a=2|prd_b/var_c=1": units of products, or of their variants. */
function readParts(cell: string): unknown {
  const pairs = splitAt(cell, "|").map((part) => splitAt(part, "=").map(unescapePart));
  if (pairs.some((pair) => pair.length !== 2)) return cell;
  return pairs.map(([what = "", quantity = ""]) => {
    const [productId, variantId] = what.split("/");
    return { productId, variantId, quantity: toNumber(quantity) };
  });
}

function readBounds(cell: string): unknown {
  const [minimum = "", maximum, ...more] = splitAt(cell, "|").map(unescapePart);
  if (more.length > 0) return cell;
  return { minimum: toNumber(minimum), maximum: maximum === undefined ? undefined : toNumber(maximum) };
}

type Cells = ReadonlyMap<string, string>;

function toField(column: string, cell: string): unknown {
  if (cell.trim() === "") {
    if (nullable.has(column)) return null;
    if (lists.has(column) || column === "inputs") return [];
    if (column === "translations") return {};
    return clearable.has(column) ? "" : undefined;
  }
  if (lists.has(column)) return splitAt(cell, "|").map(unescapePart);
  if (column === "inputs" || column === "translations") return readJson(cell);
  if (tierColumns.has(column)) return readTiers(cell);
  if (column === "payWhatYouWant") return readBounds(cell);
  if (column === "parts") return readParts(cell);
  if (column === "excludedFromWithdrawal") return toBoolean(cell);
  // Spreadsheets write their own line ends into cells.
  return numbers.has(column) ? toNumber(cell) : cell.replaceAll("\r\n", "\n");
}

function cellOf(cells: Cells, column: string): string | undefined {
  const cell = cells.get(column)?.trim() ?? "";
  return cell === "" ? undefined : cell;
}

function numberOf(cells: Cells, column: string): unknown {
  const cell = cellOf(cells, column);
  return cell === undefined ? undefined : toNumber(cell);
}

/** An empty cell removes a value; without the column it is unchanged. */
function orNull<T>(cells: Cells, column: string, value: T | undefined): T | null | undefined {
  return cells.has(column) ? (value ?? null) : undefined;
}

function tiersOf(cells: Cells, column: string): unknown {
  const cell = cellOf(cells, column);
  return cell === undefined ? undefined : readTiers(cell);
}

function toVariant(cells: Cells): Record<string, unknown> {
  const before = "variantCompareAtPrice";
  return {
    id: cellOf(cells, "variantId"),
    sku: cellOf(cells, "variantSku"),
    options: readOptions(cells.get("variantOptions") ?? ""),
    price: numberOf(cells, "variantPrice"),
    compareAtPrice: orNull(cells, before, numberOf(cells, before)),
    tierPrices: orNull(cells, "variantTierPrices", tiersOf(cells, "variantTierPrices")),
    imageHash: orNull(cells, "variantImage", cellOf(cells, "variantImage")),
    weightGrams: orNull(cells, "variantWeightGrams", numberOf(cells, "variantWeightGrams")),
    onHand: numberOf(cells, "onHand"),
  };
}

function isVariant(cells: Cells): boolean {
  return variantColumns.some((column) => cellOf(cells, column) !== undefined);
}

/** Rows of one product, and what is wrong with their cells. */
interface Group {
  readonly rows: { readonly line: number; readonly cells: Cells }[];
  readonly errors: LineError[];
}

function toItem({ rows }: Group): RawItem {
  const first = rows[0]?.cells ?? new Map<string, string>();
  const fields: Record<string, unknown> = {};
  for (const [column, cell] of first) {
    if (column === "id" || (keyColumns.has(column) && column !== "slug")) continue;
    const value = toField(column, cell);
    if (value !== undefined) fields[column] = value;
  }
  const onHand = cellOf(first, "onHand");
  if (variantColumns.some((column) => first.has(column)))
    fields["variants"] = rows.filter(({ cells }) => isVariant(cells)).map(({ cells }) => toVariant(cells));
  if (onHand !== undefined && !isVariant(first)) fields["onHand"] = toNumber(onHand);
  return { lines: rows.map(({ line }) => line), id: cellOf(first, "id"), fields };
}

/** Whether a row says nothing of the product that its first row does not say. */
function isFurther(first: Cells, cells: Cells): boolean {
  return [...cells].every(
    ([column, cell]) => keyColumns.has(column) || cell.trim() === "" || cell === first.get(column),
  );
}

function belongs(group: Group, cells: Cells): boolean {
  const first = group.rows[0]?.cells ?? new Map<string, string>();
  const key = cellOf(first, "id") === undefined && cellOf(cells, "id") === undefined ? "slug" : "id";
  const value = cellOf(cells, key);
  return value !== undefined && value === cellOf(first, key);
}

/** How a spreadsheet abbreviates a long number in a column that is not text. */
const SHORTENED = /^\d[.,]\d+E\+\d+$/u;

function findShortened(cells: Cells, line: number): LineError[] {
  return ["sku", "variantSku"]
    .filter((column) => SHORTENED.test(cells.get(column)?.trim() ?? ""))
    .map((column) => ({
      line,
      code: "invalid",
      message: `${column}: a spreadsheet shortened the number to "${cells.get(column)}". Format the column as text`,
    }));
}

/** The cells of a row under the names of their columns, prices in minor units, with what is wrong with them. */
function toCells(
  header: readonly string[],
  row: CsvRow,
  siteCurrency: string,
): { readonly cells: Cells; readonly errors: LineError[] } {
  const cells = new Map(header.map((column, index) => [column, row.cells[index] ?? ""]));
  const errors = findShortened(cells, row.line);
  const named = cells.get("currency")?.trim() ?? "";
  const currency = /^[A-Z]{3}$/u.test(named) ? named : siteCurrency;
  for (const [column, target] of decimalColumns) {
    const cell = cells.get(column);
    if (cell === undefined) continue;
    cells.delete(column);
    cells.set(target, cell);
    if (cell.trim() === "") continue;
    const isTiers = amountLists.has(target);
    // Of a price for a quantity, what is behind the "=".
    const parts = isTiers ? splitAt(cell, "|") : [cell];
    const written = parts.map((part) => {
      const at = isTiers ? part.lastIndexOf("=") + 1 : 0;
      const [from, amount] = [part.slice(0, at), part.slice(at)];
      const read = readAmount(amount, currency);
      if ("amount" in read) return `${from}${read.amount}`;
      errors.push({ line: row.line, code: "invalid", message: `${column}: ${read.problem}` });
      return part;
    });
    cells.set(target, written.join("|"));
  }
  return { cells, errors };
}

/** The error of the first row, if any. */
function checkHeader(header: readonly string[]): string | undefined {
  const unknown = header.filter((column) => !isProductColumn(column));
  if (unknown.length > 0)
    return `"${unknown.join('", "')}" is not a known column. Available columns: ${[...known].join(", ")}`;
  if (new Set(header).size !== header.length) return "A column is repeated";
  const twice = [...decimalColumns].find(
    ([column, target]) => header.includes(column) && header.includes(target),
  );
  return twice && `"${twice[0]}" and "${twice[1]}" are the same column. Keep one of them`;
}

/** Spreadsheets write as many separators as the widest row that they once had. */
function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== "") + 1);
}

/** Items and errors of the group so far: a product with a wrong cell is no item. */
function finish(group: Group): (RawItem | LineError)[] {
  return group.errors.length > 0 ? group.errors : [toItem(group)];
}

/** Reads rows into products, as they come; the first row names the columns. */
export async function* readRows(
  rows: AsyncIterable<CsvRow>,
  { currency }: { readonly currency: string },
): AsyncGenerator<RawItem | LineError, void> {
  let header: string[] | undefined;
  let group: Group | undefined;
  for await (const row of rows) {
    if (header === undefined) {
      header = withoutEmptyEnd(row.cells).map((cell) => cell.trim());
      const message = checkHeader(header);
      if (message === undefined) continue;
      yield { line: row.line, code: "invalid", message };
      return;
    }
    if (withoutEmptyEnd(row.cells).length > header.length) {
      yield { line: row.line, code: "invalid", message: "The row has more cells than there are columns" };
      continue;
    }
    const { cells, errors } = toCells(header, row, currency);
    if (group !== undefined && belongs(group, cells)) {
      const first = group.rows[0]?.cells ?? cells;
      group.errors.push(...errors);
      if (isFurther(first, cells) && isVariant(cells) && isVariant(first))
        group.rows.push({ line: row.line, cells });
      else
        yield {
          line: row.line,
          code: "invalid",
          message:
            "Additional rows of a product must contain a variant; other cells must be empty or equal to the first row",
        };
      continue;
    }
    if (group !== undefined) yield* finish(group);
    group = { rows: [{ line: row.line, cells }], errors };
  }
  if (group !== undefined) yield* finish(group);
}

/** The names of columns of an export. */
export function toColumns({ prices }: ExportForm): readonly string[] {
  if (prices === "minor") return productColumns;
  const decimalOf = new Map([...decimalColumns].map(([column, target]) => [target, column]));
  return productColumns.map((column) => decimalOf.get(column) ?? column);
}

type Row = Partial<Record<(typeof productColumns)[number], string | number>>;

/** How an export writes prices, and for which spreadsheets. */
export interface ExportForm {
  readonly prices: "minor" | "decimal";
  readonly style: CsvStyle;
}

const priceColumns: ReadonlySet<string> = new Set(decimalColumns.values());

/** The rows of a product, each with a value for every column. */
export function toRows(
  { product, stock }: ProductDetails,
  { prices, style }: ExportForm = { prices: "minor", style: csvStyles.comma },
): (string | number)[][] {
  const isKeyed = product.deliveryType === "auto_secret";
  const unitsOf = (id: string): string | number => (isKeyed ? "" : (stock.get(id)?.onHand ?? 0));
  const { tags, collectionIds = [], relatedIds = [], inputs, translations } = product;
  const { excludedFromWithdrawal, payWhatYouWant } = product;
  const toAmount = (amount: number): string | number =>
    prices === "decimal" ? toDecimal(amount, product.currency).replace(".", style.decimalMark) : amount;
  const toTiers = (tiers: readonly TierPrice[] = []): string =>
    tiers.map(({ from, price }) => `${from}=${toAmount(price)}`).join("|");
  const own: Row = {
    // The columns choose what is shown of it.
    ...product,
    tierPrices: toTiers(product.tierPrices),
    parts: (product.parts ?? [])
      .map(({ productId, variantId, quantity }) =>
        [variantId === undefined ? productId : `${productId}/${variantId}`, quantity].join("="),
      )
      .join("|"),
    payWhatYouWant: [payWhatYouWant?.minimum, payWhatYouWant?.maximum]
      .flatMap((amount) => (amount === undefined ? [] : [toAmount(amount)]))
      .join("|"),
    tags: tags.map(escapePart).join("|"),
    collectionIds: collectionIds.join("|"),
    relatedIds: relatedIds.join("|"),
    excludedFromWithdrawal: excludedFromWithdrawal === undefined ? "" : String(excludedFromWithdrawal),
    inputs: inputs.length === 0 ? "" : JSON.stringify(inputs),
    translations: Object.keys(translations).length === 0 ? "" : JSON.stringify(translations),
  };
  const rows: Row[] =
    product.variants.length === 0
      ? [{ ...own, onHand: unitsOf(product.id) }]
      : product.variants.map(({ id, sku, options, price, compareAtPrice, ...variant }, index) => ({
          ...(index === 0 ? own : { id: product.id, slug: product.slug }),
          variantId: id,
          variantSku: sku,
          variantPrice: price,
          onHand: unitsOf(id),
          variantCompareAtPrice: compareAtPrice,
          variantTierPrices: toTiers(variant.tierPrices),
          variantImage: variant.imageHash,
          variantWeightGrams: variant.weightGrams,
          variantOptions: Object.entries(options)
            .map((pair) => pair.map(escapePart).join("="))
            .join("|"),
        }));
  const toValue = (column: string, value: string | number): string | number =>
    typeof value === "number" && priceColumns.has(column) ? toAmount(value) : value;
  return rows.map((row) => productColumns.map((column) => toValue(column, row[column] ?? "")));
}
