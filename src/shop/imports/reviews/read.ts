/** Reviews of a file that another shop collected. */
import { isMailAddress } from "../../../kit/mail/mail.ts";
import type { CsvRow } from "../../../kit/files/csv.ts";
import { MAX_STARS, type ReviewState } from "../../reviews/schema.ts";
import { isYes } from "../cells.ts";
import { decodeEntities } from "../entities.ts";
import type { ReadContext, ReadItem } from "../kind.ts";
import { type Reading, readEach } from "../reading.ts";
import { say, toQuote } from "../said.ts";
import { applyReview } from "./apply.ts";
import { type ReviewField, reviewColumns } from "./columns.ts";

const MAX_TITLE = 120;
const MAX_TEXT = 4_000;
const MAX_AUTHOR = 60;
const MAX_ANSWER = 2_000;
const REJECTED = /^(?:spam|trash|hidden|rejected|archived|unpublished|deleted|abgelehnt|versteckt)$/iu;
const PENDING =
  /^(?:pending|hold|unapproved|not[ -]?yet|waiting|0|false|no|wartend|ausstehend|en attente|pendiente|待审核)$/iu;

type Build = Reading<ReviewField>;

/** "5", "4.0", "4,5" as 5, "5/5", "★★★★". */
function readStars(build: Build): number | undefined {
  const cell = build.get("stars");
  if (cell === undefined) return build.refuse("stars", say("import.required"));
  const [, digits] = /^([0-5](?:[.,]\d{1,2})?)(?:\s*\/\s*5)?$/u.exec(cell) ?? [];
  const drawn = /^[★⭐]{1,5}☆*$/u.test(cell) ? (cell.match(/[★⭐]/gu) ?? []).length : undefined;
  const stars = digits === undefined ? drawn : Math.round(Number(digits.replace(",", ".")));
  if (stars !== undefined && stars >= 1 && stars <= MAX_STARS) return stars;
  return build.refuse("stars", say("import.review.stars", { value: toQuote(cell) }));
}

function readState(build: Build): ReviewState {
  const cell = build.get("state");
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
  const cell = build.get(field) ?? "";
  const plain = /<\/?[a-z][^<>]*>|&[a-z#\d]+;/iu.test(cell) ? toPlain(cell) : cell;
  const isLine = field === "title" || field === "author";
  const words = isLine ? plain.replaceAll(/\s+/gu, " ").trim() : plain.trim();
  if (words.length <= most) return words;
  build.note(field, say("import.customer.cut", { most }), "cut");
  return words.slice(0, most).trimEnd();
}

function readOne(build: Build): ReadItem {
  const { row, faults } = build;
  const products = [row.get("product"), row.get("productId"), row.get("productName")].filter(
    (name) => name !== undefined,
  );
  const name = products.at(-1) ?? "";
  if (row.hasMore) build.refuse("text", say("import.cells"));
  if (products.length === 0) build.refuse("product", say("import.required"));
  const email = row.get("email")?.toLowerCase();
  const stars = readStars(build);
  const createdAt = build.readTime("createdAt");
  const answeredAt = build.readTime("answeredAt");
  if (row.get("pictures") !== undefined) build.note("pictures", say("import.review.pictures"));
  if (faults.length > 0 || stars === undefined) return build.toBad(name);
  const draft = {
    line: row.line,
    products,
    source: build.table.source,
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
  const { title, text } = draft;
  return build.toGood({
    title: name,
    detail: `${stars} ★ ${title === "" ? text : title}`.slice(0, 100),
    apply: (tx, options) => applyReview(tx, draft, options),
    columnOf: () => row.headerOf("product"),
  });
}

export async function* readReviews(
  open: () => AsyncIterable<CsvRow>,
  context: ReadContext,
): AsyncGenerator<ReadItem, void> {
  for await (const build of readEach(open, reviewColumns, context)) yield readOne(build);
}
