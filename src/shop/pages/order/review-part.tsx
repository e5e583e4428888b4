/** @jsxImportSource hono/jsx */
/** Reviews on the page of an order: a form for each product that its buyer received. */
import { Choice, Field, Form } from "../../../html/form.tsx";
import { type FormState, openedForm, stateOf } from "../../../html/faults.ts";
import type { Reviewable } from "../../reviews/reviews.ts";
import { MAX_STARS } from "../../reviews/schema.ts";
import type { Visit } from "../visit.tsx";

export const REVIEW_ACTION = "/review";
export const REVIEW_DELETE_ACTION = "/delete-review";
/** Fields of the form by the members of the input. */
export const reviewFields = { stars: "stars", title: "reviewTitle", text: "reviewText", author: "author" };

interface Props {
  readonly visit: Visit;
  /** Of the order. */
  readonly number: string;
  readonly items: readonly Reviewable[];
  readonly state: FormState;
}

function ReviewForm({ visit, number, item, state }: Omit<Props, "items"> & { readonly item: Reviewable }) {
  const { t, formToken, site } = visit;
  const { productId, title, review } = item;
  const ratings = Array.from({ length: MAX_STARS }, (_, at) => {
    const stars = MAX_STARS - at;
    return { value: String(stars), label: t("review.stars", { stars: String(stars) }) };
  });
  // A preselected rating would be sent by buyers who chose none.
  const options = review === undefined ? [{ value: "", label: t("checkout.choose") }, ...ratings] : ratings;
  const hint = t(site.reviews.moderation === "before" ? "review.waits" : "review.atOnce");
  return (
    <Form action={`/orders/${number}${REVIEW_ACTION}`} token={formToken} label={t("review.of", { title })}>
      <input type="hidden" name="product" value={productId} />
      <Choice
        name={reviewFields.stars}
        label={t("review.rating")}
        state={state}
        options={options}
        value={String(review?.stars ?? "")}
      />
      <Field name={reviewFields.title} label={t("review.heading")} state={state} value={review?.title} />
      <Field name={reviewFields.text} label={t("review.text")} state={state} value={review?.text} rows={5} />
      <Field
        name={reviewFields.author}
        label={t("review.author")}
        hint={t("review.author.hint")}
        state={state}
        value={review?.author}
      />
      <p class="small muted">{hint}</p>
      <button class="button primary" type="submit">
        {t(review === undefined ? "review.send" : "review.save")}
      </button>
    </Form>
  );
}

function Item({ visit, number, item, state }: Omit<Props, "items"> & { readonly item: Reviewable }) {
  const { t, formToken } = visit;
  const { productId, title, review, isOpen } = item;
  const own = stateOf(state, REVIEW_ACTION);
  const isSent = own.action !== undefined && own.values["product"] === productId;
  return (
    <details class="more" open={isSent}>
      <summary>{t(review === undefined ? "review.write" : "review.edit", { title })}</summary>
      {review === undefined ? <></> : <p class="note">{t(`review.state.${review.state}`)}</p>}
      {isOpen ? (
        <ReviewForm visit={visit} number={number} item={item} state={isSent ? own : openedForm} />
      ) : (
        <p class="muted">{t("review.closed")}</p>
      )}
      {review === undefined ? (
        <></>
      ) : (
        <Form
          action={`/orders/${number}${REVIEW_DELETE_ACTION}`}
          token={formToken}
          class="row"
          label={t("review.deleteOf", { title })}
        >
          <input type="hidden" name="product" value={productId} />
          <button class="button quiet" type="submit">
            {t("review.delete")}
          </button>
        </Form>
      )}
    </details>
  );
}

export function ReviewPart({ visit, number, items, state }: Props) {
  if (items.length === 0) return <></>;
  return (
    <section class="stack is-tight no-print" aria-labelledby="own-reviews">
      <h2 id="own-reviews">{visit.t("review.title")}</h2>
      {items.map((item) => (
        <Item visit={visit} number={number} item={item} state={state} />
      ))}
    </section>
  );
}
