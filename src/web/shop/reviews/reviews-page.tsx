/** Reviews: what waits for a decision, and the shop's answers. What a buyer wrote stays as it is. */
import type { JSX } from "preact";
import { type ReviewView, reviewChangeSchema } from "../../../shop/reviews/schema.ts";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Badge, type BadgeKind, Moment } from "../../ui/console/pieces.tsx";
import { mayUse } from "../../ui/console/session.ts";
import { Panel } from "../../ui/panel.tsx";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import type { Resource } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { ResourcePage } from "../../ui/resource/resource-page.tsx";

const badges: Record<ReviewView["state"], BadgeKind> = {
  pending: "warn",
  published: "good",
  rejected: "idle",
};

function Mark({ view: { state } }: { view: ReviewView }): JSX.Element {
  return <Badge kind={badges[state]}>{text(`shop.reviews.state.${state}`)}</Badge>;
}

const toStars = (stars: number): string => `${toNumber(stars)} ★`;

/** What the buyer wrote. */
function Written({ view }: { view: ReviewView }): JSX.Element {
  const { stars, title, text: written, author, reports, createdAt, productId, orderId, isImported } = view;
  return (
    <Panel title={text("shop.reviews.written")}>
      <p>
        <strong>
          {toStars(stars)} {title}
        </strong>
      </p>
      {written !== "" && <p class="pre-line break">{written}</p>}
      <p class="field-hint">
        {author === "" ? text("shop.reviews.anonymous") : author} · <Moment at={createdAt} />
      </p>
      {isImported === true && <p class="field-hint">{text("shop.reviews.imported")}</p>}
      {reports > 0 && <p class="note">{text("shop.reviews.reports", { count: reports })}</p>}
      <div class="button-row">
        <a class="button" href={`/admin/products/${encodeURIComponent(productId)}`}>
          {text("shop.reviews.product")}
        </a>
        {orderId !== "" && (
          <a class="button" href={`/admin/orders/${encodeURIComponent(orderId)}`}>
            {text("shop.ui.order")}
          </a>
        )}
      </div>
    </Panel>
  );
}

function ImportLink(): JSX.Element | null {
  if (!mayUse("products:write")) return null;
  return (
    <a class="button" href="/admin/products/import?from=shop&kind=reviews">
      {text("shop.reviews.import")}
    </a>
  );
}

export const reviews: Resource<ReviewView, typeof reviewChangeSchema> = {
  api: "/api/admin/reviews",
  home: "/admin/reviews",
  navigation: "shop.nav.reviews",
  texts: "shop.reviews",
  words: "shop.reviews.field",
  write: "products:write",
  schema: reviewChangeSchema,
  creation: false,
  fields: { state: { kind: choiceKind({ words: "shop.reviews.state" }), label: "admin.column.state" } },
  panels: [{ title: "shop.reviews.decision", fields: ["state", "answer"] }],
  idOf: ({ id }) => id,
  nameOf: ({ title, stars }) => (title === "" ? toStars(stars) : title),
  Mark,
  Side: Written,
  ListActions: ImportLink,
  table: {
    exports: [{ label: "shop.reviews.export", path: "/api/admin/reviews/export", file: "reviews.csv" }],
    class: "shop-table",
    icon: "chat",
    filters: [
      {
        name: "state",
        label: "admin.column.state",
        as: "segments",
        values: ["pending", "published", "rejected"],
        words: "shop.reviews.state",
      },
    ],
    columns: () => [
      { key: "stars", label: text("shop.reviews.stars"), number: true, cell: ({ stars }) => toStars(stars) },
      {
        key: "review",
        label: text("shop.reviews.review"),
        cell: ({ id, title, text: written, reports }) => (
          <>
            <a class="row-name" href={`/admin/reviews/${id}`}>
              {title === "" ? text("shop.reviews.untitled") : title}
            </a>
            {written !== "" && (
              <>
                <br />
                <span class="field-hint break">{written.slice(0, 120)}</span>
              </>
            )}
            {reports > 0 && <Badge kind="bad">{text("shop.reviews.reports", { count: reports })}</Badge>}
          </>
        ),
      },
      { key: "state", label: text("admin.column.state"), cell: (view) => <Mark view={view} /> },
      {
        key: "created",
        label: text("shop.reviews.created"),
        cell: ({ createdAt }) => <Moment at={createdAt} />,
      },
    ],
  },
};

/** The section. */
export function ReviewsPage({ id }: { id: string | undefined }): JSX.Element {
  return id === undefined ? <ResourceList of={reviews} /> : <ResourcePage of={reviews} id={id} key={id} />;
}
