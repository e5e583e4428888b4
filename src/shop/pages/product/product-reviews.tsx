/** @jsxImportSource hono/jsx */
/** The reviews of a product: the average, how they are verified, and what buyers wrote. */
import type { ReviewRecord } from "../../reviews/schema.ts";
import type { Rating } from "../../reviews/rating.ts";
import { RatingLine, Stars } from "../pieces/rating.tsx";
import type { Visit } from "../visit.tsx";

function Review({ review, visit }: { readonly review: ReviewRecord; readonly visit: Visit }) {
  const { t, site, formToken, language } = visit;
  const { id, stars, title, text, author, answer, createdAt, isImported = false } = review;
  const verified = author === "" ? t("review.verified") : t("review.by", { author });
  const day = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeZone: site.timeZone,
  }).format(createdAt);
  return (
    <li class="stack is-tight review">
      <p class="row">
        <Stars stars={stars} visit={visit} />
        {title === "" ? <></> : <strong>{title}</strong>}
      </p>
      {text === "" ? <></> : <p class="pre-line">{text}</p>}
      <div class="row small muted">
        <p>
          {isImported ? t("review.imported", { author: author || "–" }) : verified} · {day}
        </p>
        <form method="post" action={`/reviews/${id}/report`} class="push no-print">
          <input type="hidden" name="form" value={formToken} />
          <button class="button quiet" type="submit">
            {t("review.report")}
          </button>
        </form>
      </div>
      {answer === "" ? (
        <></>
      ) : (
        <div class="review-answer">
          <strong>{t("review.answer", { shop: site.name })}</strong>
          <p class="pre-line">{answer}</p>
        </div>
      )}
    </li>
  );
}

/** The section of a product's page; nothing while reviews are off. */
export function ProductReviews({
  visit,
  rating,
  items,
}: {
  readonly visit: Visit;
  readonly rating: Rating | undefined;
  /** The newest ones. */
  readonly items: readonly ReviewRecord[];
}) {
  const { t, site } = visit;
  if (!site.reviews.isOn) return <></>;
  return (
    <section class="stack" aria-labelledby="reviews">
      <h2 id="reviews">{t("review.title")}</h2>
      {rating === undefined ? <p>{t("review.none")}</p> : <RatingLine rating={rating} visit={visit} />}
      {/* Article 7(6) of Directive 2005/29/EC: whether and how the shop makes sure that reviews are by buyers. */}
      <p class="small muted">
        {t(site.reviews.moderation === "before" ? "review.howBefore" : "review.howAfter")}
      </p>
      {items.length === 0 ? (
        <></>
      ) : (
        <ul class="stack reviews">
          {items.map((review) => (
            <Review review={review} visit={visit} />
          ))}
        </ul>
      )}
      {rating !== undefined && rating.count > items.length ? (
        <p class="small muted">{t("review.newest", { count: items.length })}</p>
      ) : (
        <></>
      )}
    </section>
  );
}
