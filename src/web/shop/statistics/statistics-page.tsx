/** Sales over time: money, orders, average, conversion and top products, beside as many days before. */
import type { JSX } from "preact";
import type { SalesView } from "../../../shop/operation/answer-schema.ts";
import { useRef } from "preact/hooks";
import { formatAmount } from "../../../shop/base/money.ts";
import { csvSeparator, toDay, toNumber, toPercent } from "../../app/format.ts";
import { type TextName, currentLanguage, text } from "../../app/texts.ts";
import { PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useQuery } from "../../ui/console/query.ts";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Figure } from "../../ui/figures.tsx";
import { ValueBars } from "../../ui/value-bars.tsx";
import { type Period, type Sums, toAverage, toConversion } from "./sales-data.ts";
import { SpanChoice, toSalesQuery } from "./span-choice.tsx";
import { Note } from "../../ui/console/note.tsx";

const SALES = "/api/admin/sales";
const NONE = "–";

function showMoney(minor: number | undefined, currency: string): string {
  return minor === undefined ? NONE : formatAmount(minor, currency, currentLanguage());
}

function showConversion(sums: Sums): string {
  const conversion = toConversion(sums);
  return conversion === undefined ? NONE : toPercent(conversion);
}

/** A calendar day in the reader's words; the zone is the shop's already. */
function showDay(day: string): string {
  return toDay(Date.parse(day), "UTC");
}

/** How much more or less than before, in words and not by colour alone. */
function Change({ now, before }: { now: number | undefined; before: number | undefined }): JSX.Element {
  if (now === undefined || before === undefined || before === 0)
    return <dd class="figure-more">{text("shop.statistics.noBefore")}</dd>;
  const change = (100 * (now - before)) / before;
  const kind = Math.abs(change) < 0.5 ? "same" : change > 0 ? "more" : "less";
  return (
    <dd class={`figure-more is-${kind}`}>
      {kind !== "same" && <Icon name={kind === "more" ? "arrowUp" : "arrowDown"} />}
      {text(`shop.statistics.${kind}`, { share: toPercent(Math.abs(change)) })}
    </dd>
  );
}

function Figures({ view }: { view: SalesView }): JSX.Element {
  const { total, before, currency } = view;
  const toMoney = (minor: number | undefined): string => showMoney(minor, currency);
  const measures: readonly (readonly [
    TextName,
    (value: number | undefined) => string,
    (sums: Sums) => number | undefined,
  ])[] = [
    ["shop.statistics.revenue", toMoney, ({ revenue }) => revenue],
    ["shop.statistics.orders", (orders = 0) => toNumber(orders), ({ orders }) => orders],
    ["shop.statistics.average", toMoney, toAverage],
    ["shop.statistics.conversion", (share) => (share === undefined ? NONE : toPercent(share)), toConversion],
  ];
  return (
    <>
      <dl class="figures">
        {measures.map(([label, show, measure]) => (
          <Figure label={text(label)} value={show(measure(total))} key={label}>
            <Change now={measure(total)} before={measure(before)} />
          </Figure>
        ))}
      </dl>
      <p class="field-hint">
        {text("shop.statistics.beside", { from: showDay(before.from), to: showDay(before.to) })}
      </p>
    </>
  );
}

/** Bars with their scale; the table below has all values. */
function SalesBars(props: Omit<Parameters<typeof ValueBars>[0], "frame">): JSX.Element {
  return (
    <ValueBars
      {...props}
      frame={(bars, most) => (
        <div class="sales-chart">
          <span class="sales-scale" aria-hidden="true">
            <span>{props.toValue(most)}</span>
            <span>{props.toValue(0)}</span>
          </span>
          {bars}
        </div>
      )}
    />
  );
}

function Charts({ view }: { view: SalesView }): JSX.Element {
  const { periods, currency, total, unit } = view;
  const toName = (index: number): string => {
    const start = showDay(periods[index]?.start ?? view.from);
    return unit === "day" ? start : text(`shop.statistics.since.${unit}`, { start });
  };
  return (
    <div class="day-charts">
      <SalesBars
        title={text("shop.statistics.revenue")}
        sum={showMoney(total.revenue, currency)}
        values={periods.map(({ revenue }) => revenue)}
        toName={toName}
        toValue={(value) => showMoney(value, currency)}
      />
      <SalesBars
        title={text("shop.statistics.orders")}
        sum={toNumber(total.orders)}
        values={periods.map(({ orders }) => orders)}
        toName={toName}
        toValue={(value) => toNumber(value)}
      />
      {total.views !== undefined && (
        <SalesBars
          title={text("shop.statistics.views")}
          sum={toNumber(total.views)}
          values={periods.map(({ views = 0 }) => views)}
          toName={toName}
          toValue={(value) => toNumber(value)}
        />
      )}
    </div>
  );
}

const toColumns = (currency: string): readonly TableColumn<Period>[] => [
  { key: "start", label: text("shop.statistics.start"), cell: ({ start }) => showDay(start) },
  {
    key: "revenue",
    label: text("shop.statistics.revenue"),
    number: true,
    cell: ({ revenue }) => showMoney(revenue, currency),
  },
  {
    key: "orders",
    label: text("shop.statistics.orders"),
    number: true,
    cell: ({ orders }) => toNumber(orders),
  },
  {
    key: "paid",
    label: text("shop.statistics.paid"),
    number: true,
    cell: ({ paidOrders }) => toNumber(paidOrders),
  },
  {
    key: "average",
    label: text("shop.statistics.average"),
    number: true,
    cell: (period) => showMoney(toAverage(period), currency),
  },
  {
    key: "views",
    label: text("shop.statistics.views"),
    number: true,
    cell: ({ views }) => (views === undefined ? NONE : toNumber(views)),
  },
  {
    key: "conversion",
    label: text("shop.statistics.conversion"),
    number: true,
    cell: (period) => showConversion(period),
  },
];

function TopProducts({ view }: { view: SalesView }): JSX.Element {
  const { products, currency } = view;
  return (
    <section class="stack-small" aria-labelledby="top-products">
      <h2 id="top-products">{text("shop.statistics.products")}</h2>
      {products.length === 0 ? (
        <p class="quiet-text">{text("shop.statistics.noProducts")}</p>
      ) : (
        <Table
          caption={text("shop.statistics.products")}
          rows={products}
          keyOf={({ productId }) => productId}
          columns={[
            {
              key: "title",
              label: text("shop.statistics.product"),
              cell: ({ productId, title }) => <a href={`/admin/products/${productId}`}>{title}</a>,
            },
            {
              key: "units",
              label: text("shop.statistics.units"),
              number: true,
              cell: ({ units }) => toNumber(units),
            },
            {
              key: "revenue",
              label: text("shop.statistics.revenue"),
              number: true,
              cell: ({ revenue }) => showMoney(revenue, currency),
            },
          ]}
        />
      )}
    </section>
  );
}

function Shown({ view }: { view: SalesView }): JSX.Element {
  const query = useQuery();
  return (
    <>
      <SpanChoice view={view} query={query} />
      {!view.isComplete && <Note kind="warn">{text("shop.statistics.incomplete")}</Note>}
      <Figures view={view} />
      <Charts view={view} />
      <details class="sales-table">
        <summary>{text("shop.statistics.table")}</summary>
        <Table
          caption={text("shop.statistics.table")}
          columns={toColumns(view.currency)}
          rows={[...view.periods].reverse()}
          keyOf={({ start }) => start}
        />
      </details>
      <TopProducts view={view} />
      <p class="field-hint">{text("shop.statistics.hint", { zone: view.timeZone })}</p>
    </>
  );
}

/** The section. */
export function StatisticsPage(): JSX.Element {
  const query = useQuery();
  const asked = toSalesQuery(query);
  const { data, error, refresh } = usePolled<SalesView>(`${SALES}${asked}`, 0);
  // The current days stay until the new ones have loaded.
  const last = useRef<SalesView>();
  if (data !== undefined) last.current = data;
  const shown = data ?? (error === undefined ? last.current : undefined);
  return (
    <>
      <PageHead title={text("shop.nav.statistics")}>
        <a
          class="button"
          href={`${SALES}/export${asked}${asked === "" ? "?" : "&"}separator=${csvSeparator()}`}
          download
        >
          <Icon name="download" />
          {text("admin.csv")}
        </a>
      </PageHead>
      {error && (
        <>
          <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />
          <a class="button" href="/admin/statistics">
            {text("shop.statistics.reset")}
          </a>
        </>
      )}
      {shown === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {shown && <Shown view={shown} />}
    </>
  );
}
