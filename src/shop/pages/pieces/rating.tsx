/** @jsxImportSource hono/jsx */
/** Stars of a review, and the average of a product. */
import type { Rating } from "../../reviews/rating.ts";
import type { Visit } from "../visit.tsx";

const FULL = "★★★★★";
const EMPTY = "☆☆☆☆☆";

type Words = Pick<Visit, "t" | "language">;

/** "4.5", as the language writes it. */
export function toAverage(average: number, language: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(average);
}

/** Stars, which screen readers hear as a number. */
export function Stars({ stars, visit: { t, language } }: { readonly stars: number; readonly visit: Words }) {
  const full = Math.round(stars);
  return (
    <span class="stars" role="img" aria-label={t("review.stars", { stars: toAverage(stars, language) })}>
      {FULL.slice(0, full) + EMPTY.slice(full)}
    </span>
  );
}

/** The average with the number of reviews; in cards, as a number alone to those who see it. */
export function RatingLine({
  rating,
  visit,
  isShort = false,
}: {
  readonly rating: Rating;
  readonly visit: Words;
  readonly isShort?: boolean;
}) {
  const count = visit.t("review.count", { count: rating.count });
  return (
    <span class="rating">
      <Stars stars={rating.average} visit={visit} />
      <span class="small muted num" aria-hidden="true">
        {isShort ? `(${rating.count})` : toAverage(rating.average, visit.language)}
      </span>
      <span class={isShort ? "for-readers" : "small muted"}>{count}</span>
    </span>
  );
}
