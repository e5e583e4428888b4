/** How the shop fares: what came in, what waits for somebody, the last orders, and what a new shop still lacks. */
import type { JSX } from "preact";
import { formatAmount } from "../../../shop/base/money.ts";
import { type TextName, countText, currentLanguage, text } from "../../app/texts.ts";
import { Ago, Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { Icon } from "../../ui/icons.tsx";
import { StatusMark } from "../ui/orders/order-marks.tsx";
import { FirstSteps, Gaps } from "./setup-panel.tsx";
import type { Today } from "../../../shop/operation/answer-schema.ts";
import { type Sums, isSetUp, waitingPlaces } from "./today-data.ts";

const TODAY = "/api/admin/today";
const EVERY_MS = 30_000;

type LastOrder = Today["lastOrders"][number];

function SalesFigure(props: { label: TextName; sums: Sums; currency: string }): JSX.Element {
  const { label, sums, currency } = props;
  return (
    <div class="figure">
      <dt>{text(label)}</dt>
      <dd>{formatAmount(sums.revenue, currency, currentLanguage())}</dd>
      <dd class="figure-more">{countText("shop.today.orders", sums.orders)}</dd>
    </div>
  );
}

/** Open tasks with their links, or a note that there are none. */
function WaitingList({ waiting }: Pick<Today, "waiting">): JSX.Element {
  const found = waitingPlaces.filter(([what]) => waiting[what] > 0);
  return (
    <section class="stack-small today-part" aria-labelledby="waiting">
      <h2 id="waiting">{text("shop.today.waiting")}</h2>
      {found.length === 0 && (
        <p class="quiet-text">
          <Icon name="check" /> {text("shop.today.nothingWaits")}
        </p>
      )}
      <ul class="todos plain-list">
        {found.map(([what, place, isBad]) => (
          <li key={what}>
            <a class={`todo${isBad ? " is-bad" : ""}`} href={place}>
              {countText(`shop.today.waiting.${what}`, waiting[what])}
              <Icon name="next" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const toColumns = (): readonly TableColumn<LastOrder>[] => [
  {
    key: "number",
    label: text("shop.ui.order"),
    cell: ({ id, number, email }) => (
      <>
        <a href={`/admin/orders/${id}`}>{number}</a>
        <span class="field-hint break">{email}</span>
      </>
    ),
  },
  {
    key: "status",
    label: text("shop.ui.state"),
    cell: ({ status }) => <StatusMark status={status} />,
  },
  {
    key: "total",
    label: text("shop.today.total"),
    number: true,
    cell: ({ total, currency }) => formatAmount(total, currency, currentLanguage()),
  },
  {
    key: "at",
    label: text("admin.column.when"),
    number: true,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];

function LastOrders({ orders }: { orders: readonly LastOrder[] }): JSX.Element {
  return (
    <section class="stack-small today-part" aria-labelledby="last-orders">
      <div class="section-head">
        <h2 id="last-orders">{text("shop.today.last")}</h2>
        <a href="/admin/orders">{text("shop.ui.allOrders")}</a>
      </div>
      {orders.length === 0 ? (
        <p class="quiet-text">{text("shop.today.noOrders")}</p>
      ) : (
        <div class="last-orders shop-table">
          <Table
            caption={text("shop.today.last")}
            columns={toColumns()}
            rows={orders}
            keyOf={({ id }) => id}
          />
        </div>
      )}
    </section>
  );
}

function Shown({ view }: { view: Today }): JSX.Element {
  const { currency, today, days7, days30, setup } = view;
  // In a new shop, zeros would only push the first steps down.
  if (!isSetUp(setup) && view.lastOrders.length === 0)
    return (
      <>
        <FirstSteps setup={setup} />
        <Gaps setup={setup} />
      </>
    );
  return (
    <>
      <FirstSteps setup={setup} />
      <dl class="figures">
        <SalesFigure label="shop.nav.today" sums={today} currency={currency} />
        <SalesFigure label="shop.statistics.days7" sums={days7} currency={currency} />
        <SalesFigure label="shop.statistics.days30" sums={days30} currency={currency} />
      </dl>
      <WaitingList waiting={view.waiting} />
      <LastOrders orders={view.lastOrders} />
      <Gaps setup={setup} />
    </>
  );
}

/** The section. */
export function TodayPage(): JSX.Element {
  const loaded = usePolled<Today>(TODAY, EVERY_MS);
  return (
    <>
      <PageHead title={text("shop.nav.today")}>
        <a class="button" href="/" target="_blank" rel="noopener">
          {text("shop.today.visit")}
        </a>
      </PageHead>
      <Loaded of={loaded}>{(data) => <Shown view={data} />}</Loaded>
    </>
  );
}
