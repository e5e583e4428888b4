/** Stores a review that another shop collected, and takes one back. */
import { AppError } from "../../../kit/errors.ts";
import { newId } from "../../../kit/secrets/id.ts";
import type { SecretBox } from "../../../kit/secrets/secret-box.ts";
import type { Tx } from "../../../store/store.ts";
import { countReview } from "../../reviews/rating.ts";
import { reviews } from "../../reviews/records.ts";
import { toReviewer } from "../../reviews/reviews.ts";
import type { ReviewRecord } from "../../reviews/schema.ts";
import { keepItem } from "../items.ts";
import type { Applied, ApplyOptions, Undone } from "../kind.ts";
import type { FoundProduct, ProductFinder } from "../product-finder.ts";
import { say, toQuote } from "../said.ts";
import type { ImportItemRecord } from "../schema.ts";

/** A review as a file describes it. */
export interface ReviewDraft extends Pick<
  ReviewRecord,
  "stars" | "title" | "text" | "author" | "answer" | "state"
> {
  readonly line: number;
  /** How the product can be named, the surest first. */
  readonly products: readonly string[];
  readonly source: string;
  readonly email: string | undefined;
  readonly createdAt: number | undefined;
  readonly answeredAt: number | undefined;
}

async function findProduct({ products, source }: ReviewDraft, goods: ProductFinder): Promise<FoundProduct> {
  for (const name of products) {
    const found = await goods.find(name, source);
    if (found !== undefined) return found;
  }
  const { message, text } = say("import.key.product", { value: toQuote(products.join(", ")) });
  throw new AppError("invalid", message, { details: { text } });
}

/**
 * Who wrote it: the keyed hash of the mailbox, so that the review is in the export of that person's data and goes with
 * it. Without an address the review itself, so that a second import finds it.
 */
function toBuyer(box: SecretBox, { email, author, title, text, createdAt = 0 }: ReviewDraft): string {
  if (email !== undefined) return toReviewer(box, { emailLower: email });
  return `import:${box.lookup(JSON.stringify([author, title, text, createdAt]), "review")}`;
}

export async function applyReview(
  tx: Tx,
  draft: ReviewDraft,
  { record, number, nowMs, box, goods }: ApplyOptions,
): Promise<Applied> {
  const { line, stars, title, text, author, answer, createdAt = nowMs } = draft;
  const { product } = await findProduct(draft, goods);
  const buyer = toBuyer(box, draft);
  if ((await tx.by(reviews, "byBuyer", [buyer, product.id])) !== undefined) return { outcome: "skipped" };
  const state = record.options.status === "draft" ? "pending" : draft.state;
  const target = await tx.insert(reviews, {
    id: newId("rev", createdAt),
    productId: product.id,
    orderId: "",
    isImported: true,
    buyer,
    stars,
    title,
    text,
    author,
    state,
    answer,
    answeredAt: answer === "" ? undefined : (draft.answeredAt ?? createdAt),
    reports: 0,
    createdAt,
    updatedAt: createdAt,
    publishedAt: state === "published" ? createdAt : undefined,
  });
  await countReview(tx, { before: undefined, after: target }, nowMs);
  await keepItem(tx, {
    importId: record.id,
    number,
    line,
    outcome: "created",
    target,
    title: product.title,
    foreign: undefined,
  });
  return { outcome: "created" };
}

export async function undoReview(
  tx: Tx,
  { targetId, afterVersion }: ImportItemRecord,
  { nowMs }: { readonly nowMs: number },
): Promise<Undone> {
  const before = await tx.get(reviews, targetId);
  if (before === undefined) return { undo: "removed" };
  if (before.version !== afterVersion) return { undo: "kept", reason: say("import.undo.changed") };
  await tx.remove(reviews, targetId);
  await countReview(tx, { before, after: undefined }, nowMs);
  return { undo: "removed" };
}
