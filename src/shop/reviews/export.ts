/** Reviews as a table, with the columns that apps of other shops read. */
import { type CsvStyle, csvStyles, toCsvLine } from "../../kit/files/csv-line.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { Store } from "../../store/store.ts";
import { products } from "../products/records.ts";
import { reviews } from "./records.ts";
import type { ReviewState } from "./schema.ts";

const PAGE = 500;
const columns =
  "product_handle product_title rating title body reviewer_name review_date state reply reply_date verified".split(
    " ",
  );

/** All reviews, or those in a state, the oldest first. Email addresses are not in them: the store has hashes. */
export async function* exportReviews(
  store: Store,
  state: ReviewState | undefined,
  style: CsvStyle = csvStyles.comma,
): AsyncGenerator<string, void> {
  let head = toCsvLine(columns, style);
  let cursor: string | undefined;
  do {
    const from = cursor;
    const { rows, nextCursor } = await store.read(async (tx) => {
      const range = { limit: PAGE, cursor: from };
      const page =
        state === undefined
          ? await tx.list(reviews, "byCreated", range)
          : await tx.list(reviews, "byState", { ...range, prefix: [state] });
      const lines: string[] = [];
      for (const { productId, stars, title, text, author, createdAt, ...review } of page.items) {
        const { answer, answeredAt, isImported = false } = review;
        const product = await tx.get(products, productId);
        lines.push(
          toCsvLine(
            [
              product?.slug ?? productId,
              product?.title ?? "",
              stars,
              title,
              text,
              author,
              toIsoTime(createdAt),
              review.state,
              answer,
              answeredAt === undefined ? "" : toIsoTime(answeredAt),
              isImported ? "no" : "yes",
            ],
            style,
          ),
        );
      }
      return { rows: lines, nextCursor: page.nextCursor };
    });
    yield `${head}${rows.join("")}`;
    head = "";
    cursor = nextCursor;
  } while (cursor !== undefined);
}
