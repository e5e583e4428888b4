/** The products of a file, checked one by one. */
import { productFieldsSchema, type ProductFields } from "../products/change-schema.ts";
import type { CsvRow } from "../../kit/files/csv.ts";
import type { ProductDraft } from "./drafts.ts";
import type { Fault } from "./faults.ts";
import { type Group, groupRows } from "./group-rows.ts";
import { toDraft } from "./to-draft.ts";
import { toSlug } from "../products/slug.ts";
import { applyProduct } from "./apply-product.ts";
import type { ReadContext, ReadItem } from "./kind.ts";
import type { ProductField } from "./product-columns.ts";
import { toProductFaults } from "./refusals.ts";
import { say, sayIssue, toQuote } from "./said.ts";

const fieldNames: Readonly<Record<string, ProductField>> = {
  title: "title",
  summary: "summary",
  description: "description",
  price: "price",
  compareAtPrice: "compareAtPrice",
  sku: "sku",
  onHand: "stock",
  weightGrams: "weight",
  tags: "tags",
  options: "option1Value",
};

function checkFields({ lines, line, fields }: ProductDraft, { table }: Group): ProductFields | Fault[] {
  const parsed = productFieldsSchema.safeParse(fields);
  if (parsed.success) return parsed.data;
  return parsed.error.issues.map((issue): Fault => {
    const path = issue.path.map(String);
    const isVariant = path[0] === "variants" && path.length > 2;
    const name = (isVariant ? path[2] : path[0]) ?? "";
    const field = fieldNames[name];
    const place = field === undefined ? undefined : table.places.get(field);
    return {
      line: (isVariant ? lines[Number(path[1])] : undefined) ?? line,
      column: place === undefined ? name : table.headers[place],
      code: "invalid",
      ...sayIssue(issue),
    };
  });
}

/** Gives every product of the file its own slug, the same at each reading. */
function createSlugs() {
  const seen = new Map<string, number>();
  return {
    find: (draft: ProductDraft, sku: string | undefined): string => {
      const base = draft.slug.slice(0, 100);
      if (base === "" || !seen.has(base)) return base;
      const more = toSlug(sku ?? "").slice(0, 15);
      const named = more === "" ? "" : `${base}-${more}`;
      if (named !== "" && !seen.has(named)) return named;
      let number = 2;
      while (seen.has(`${base}-${number}`)) number += 1;
      return `${base}-${number}`;
    },
    add: (slug: string, line: number): void => {
      if (slug !== "") seen.set(slug, line);
    },
    lineOf: (slug: string): number | undefined => seen.get(slug),
  };
}

function toItem(draft: ProductDraft, fields: ProductFields, rows: number): ReadItem {
  const { line, title, price, notes, pictures } = draft;
  return {
    line,
    title,
    rows,
    pictures: pictures.length,
    preview: { price, variants: fields.variants?.length ?? 0 },
    notes,
    apply: (tx, options) => applyProduct(tx, { draft, fields }, options),
    toFaults: (error) => toProductFaults(draft, error),
  };
}

/** Reads products; the last row of Gumroad's files has sums, and further sales of a product say nothing new. */
export async function* readProducts(
  open: () => AsyncIterable<CsvRow>,
  context: ReadContext,
): AsyncGenerator<ReadItem, void> {
  const slugs = createSlugs();
  for await (const group of groupRows(open, context.options.mapping)) {
    const { rows, table, fault } = group;
    const [first] = rows;
    const title = first?.get("title") ?? "";
    const isSales = table.source === "gumroad";
    if (first === undefined || (isSales && title === "")) continue;
    if (fault !== undefined) {
      yield { line: fault.line, title, faults: [fault], rows: rows.length };
      continue;
    }
    const built = toDraft(table, isSales ? [first] : rows, context);
    if (built === undefined) continue;
    const hasHandle = first.get("handle") !== undefined;
    const twin = hasHandle ? slugs.lineOf(built.draft.slug) : undefined;
    if (twin !== undefined && isSales) continue;
    const faults = [...built.faults];
    if (twin !== undefined)
      faults.push({
        line: built.draft.line,
        column: first.headerOf("handle"),
        code: "invalid",
        ...say("import.twin", { slug: toQuote(built.draft.slug), line: twin }),
      });
    const slug = hasHandle ? built.draft.slug : slugs.find(built.draft, first.get("sku"));
    const draft: ProductDraft = { ...built.draft, slug };
    slugs.add(slug, draft.line);
    const fields = faults.length === 0 ? checkFields(draft, group) : [];
    if (Array.isArray(fields))
      yield { line: draft.line, title, faults: [...faults, ...fields], rows: rows.length };
    else yield toItem(draft, fields, rows.length);
  }
}
