/** Reviews of a file that another shop collected. */
import { isMailAddress } from "../../../kit/mail/mail.ts";
import type { CsvRow } from "../../../kit/files/csv.ts";
import { MAX_STARS, type ReviewState } from "../../reviews/schema.ts";
import { isYes } from "../cells.ts";
import { readDate } from "../dates.ts";
import { decodeEntities } from "../entities.ts";
import type { Fault } from "../faults.ts";
import type { ReadContext, ReadItem } from "../kind.ts";
import { toFaults } from "../refusals.ts";
import { type Row, type Table, readRows } from "../rows.ts";
import { type Said, say, toQuote } from "../said.ts";
import { type ReviewDraft, applyReview } from "./apply.ts";
import { type ReviewField, reviewColumns } from "./columns.ts";

const MAX_TITLE = 120;
const MAX_TEXT = 4_000;
const MAX_AUTHOR = 60;
const MAX_ANSWER = 2_000;
const REJECTED = /^(?:spam|trash|hidden|rejected|archived|unpublished|deleted|abgelehnt|versteckt)$/iu;
const PENDING =
  /^(?:pending|hold|unapproved|not[ -]?yet|waiting|0|false|no|wartend|ausstehend|en attente|pendiente|待审核)$/iu;

interface Build {
  readonly row: Row<ReviewField>;
  readonly context: ReadContext;
  readonly faults: Fault[];
  readonly notes: Fault[];
}

function refuse({ row, faults }: Build, field: ReviewField, said: Said): undefined {
  faults.push({ line: row.line, column: row.headerOf(field), code: "invalid", ...said });
  return undefined;
}

/** "5", "4.0", "4,5" as 5, "5/5", "★★★★". */
function readStars(build: Build): number | undefined {
  const cell = build.row.get("stars");
  if (cell === undefined) return refuse(build, "stars", say("import.required"));
  const [, digits] = /^([0-5](?:[.,]\d{1,2})?)(?:\s*\/\s*5)?$/u.exec(cell) ?? [];
  const drawn = /^[★⭐]{1,5}☆*$/u.test(cell) ? (cell.match(/[★⭐]/gu) ?? []).length : undefined;
  const stars = digits === undefined ? drawn : Math.round(Number(digits.replace(",", ".")));
  if (stars !== undefined && stars >= 1 && stars <= MAX_STARS) return stars;
  return refuse(build, "stars", say("import.review.stars", { value: toQuote(cell) }));
}

function readTime(build: Build, field: "createdAt" | "answeredAt"): number | undefined {
  const cell = build.row.get(field);
  if (cell === undefined || cell.startsWith("0000-00-00")) return undefined;
  const { dateOrder, timeZone = build.context.timeZone } = build.context.options;
  const read = readDate(cell, { dateOrder, timeZone });
  return "at" in read ? read.at : refuse(build, field, read.problem);
}

function readState({ row }: Build): ReviewState {
  const cell = row.get("state");
  if (cell === undefined || isYes(cell)) return "published";
  if (REJECTED.test(cell)) return "rejected";
  return PENDING.test(cell) ? "pending" : "published";
}

/** HTML as plain text. */
function toPlain(html: string): string {
  const lines = html.replaceAll(/<br\s*\/?>|<\/(?:p|div|li)>/giu, "\n").replaceAll(/<\/?[a-z][^<>]*>/giu, "");
  return decodeEntities(lines).replaceAll(/\n{3,}/gu, "\n\n");
}

/** A text of a review, cut where it is too long; HTML becomes plain text. */
function readWords(build: Build, field: "title" | "text" | "author" | "answer", most: number): string {
  const { row, notes } = build;
  const cell = row.get(field) ?? "";
  const plain = /<\/?[a-z][^<>]*>|&[a-z#\d]+;/iu.test(cell) ? toPlain(cell) : cell;
  const isLine = field === "title" || field === "author";
  const words = isLine ? plain.replaceAll(/\s+/gu, " ").trim() : plain.trim();
  if (words.length <= most) return words;
  const said = say("import.customer.cut", { most });
  notes.push({ line: row.line, column: row.headerOf(field), code: "cut", ...said });
  return words.slice(0, most).trimEnd();
}

function toItem(draft: ReviewDraft, notes: readonly Fault[], column: string | undefined): ReadItem {
  const { line, stars, title, text, products } = draft;
  return {
    line,
    title: products.at(-1) ?? "",
    rows: 1,
    pictures: 0,
    preview: { price: "", variants: 0, detail: `${stars} ★ ${title === "" ? text : title}`.slice(0, 100) },
    notes,
    apply: (tx, options) => applyReview(tx, draft, options),
    toFaults: (error) => toFaults(error, line, () => ({ column })),
  };
}

function readOne(build: Build, table: Table<ReviewField>): ReadItem {
  const { row, faults, notes } = build;
  const products = [row.get("product"), row.get("productId"), row.get("productName")].filter(
    (name) => name !== undefined,
  );
  if (row.hasMore) refuse(build, "text", say("import.cells"));
  if (products.length === 0) refuse(build, "product", say("import.required"));
  const email = row.get("email")?.toLowerCase();
  const stars = readStars(build);
  const createdAt = readTime(build, "createdAt");
  const answeredAt = readTime(build, "answeredAt");
  if (row.get("pictures") !== undefined)
    notes.push({
      line: row.line,
      column: row.headerOf("pictures"),
      code: "left_out",
      ...say("import.review.pictures"),
    });
  if (faults.length > 0 || stars === undefined)
    return { line: row.line, title: products.at(-1) ?? "", rows: 1, faults };
  const draft = {
    line: row.line,
    products,
    source: table.source,
    stars,
    title: readWords(build, "title", MAX_TITLE),
    text: readWords(build, "text", MAX_TEXT),
    author: readWords(build, "author", MAX_AUTHOR),
    answer: readWords(build, "answer", MAX_ANSWER),
    // Other shops store placeholders for guests: such a review is known by its words.
    email: email !== undefined && isMailAddress(email) ? email : undefined,
    createdAt,
    answeredAt,
    state: readState(build),
  };
  return toItem(draft, notes, row.headerOf("product"));
}

export async function* readReviews(
  open: () => AsyncIterable<CsvRow>,
  context: ReadContext,
): AsyncGenerator<ReadItem, void> {
  for await (const { table, row } of readRows(open(), reviewColumns, context.options.mapping))
    yield readOne({ row, context, faults: [], notes: [] }, table);
}
