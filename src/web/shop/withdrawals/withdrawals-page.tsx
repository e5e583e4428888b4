/** Withdrawals: those that wait, the oldest first, and all that ever came. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Segments } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { Ago, PageHead } from "../../ui/console/pieces.tsx";
import { useQuery } from "../../ui/console/query.ts";
import { toDay } from "../../app/format.ts";
import { Empty } from "../../ui/empty.tsx";
import { FilterSelect } from "../ui/filter-bar.tsx";
import { showMoney } from "../ui/money.ts";
import { OrderLink } from "../ui/orders/order-marks.tsx";
import { WITHDRAWALS, type WithdrawalView, withdrawalStates } from "../ui/orders/withdrawal-data.ts";
import { WithdrawalMark } from "../ui/orders/withdrawal-marks.tsx";

type View = "waiting" | "all";

function toColumns(): readonly TableColumn<WithdrawalView>[] {
  return [
    {
      key: "who",
      label: text("shop.ui.buyer"),
      cell: ({ id, name, email }) => (
        <>
          <a href={`/admin/withdrawals/${id}`}>{name}</a>
          <span class="field-hint break">{email}</span>
        </>
      ),
    },
    {
      key: "state",
      label: text("shop.ui.state"),
      cell: ({ state, isOverdue }) => <WithdrawalMark state={state} isOverdue={isOverdue} />,
    },
    {
      key: "order",
      label: text("shop.ui.order"),
      cell: ({ orderId, orderNumber }) =>
        orderId === undefined ? orderNumber : <OrderLink id={orderId} number={orderNumber} />,
    },
    {
      key: "refund",
      label: text("shop.withdrawals.suggested"),
      number: true,
      cell: ({ suggestedRefund, currency }) =>
        suggestedRefund === undefined || currency === undefined ? "–" : showMoney(suggestedRefund, currency),
    },
    {
      key: "by",
      label: text("shop.withdrawals.refundBy"),
      cell: ({ refundBy }) => text("shop.withdrawals.by", { day: toDay(Date.parse(refundBy)) }),
    },
    {
      key: "when",
      label: text("shop.ui.received"),
      cell: ({ receivedAt }) => <Ago at={receivedAt} />,
    },
  ];
}

/** The section. */
export function WithdrawalsPage(): JSX.Element {
  const query = useQuery();
  const view: View = query.get("view") === "all" ? "all" : "waiting";
  const isAll = view === "all";
  const filters = { state: isAll ? query.get("state") : "", waiting: isAll ? "" : "true" };
  const page = useCursorPage<WithdrawalView>(WITHDRAWALS, filters);
  const empty =
    view === "all" ? (
      text("shop.withdrawals.none")
    ) : (
      <Empty icon="check" title={text("shop.withdrawals.empty")} hint={text("shop.withdrawals.emptyHint")} />
    );
  return (
    <>
      <PageHead title={text("shop.nav.withdrawals")} hint={text("shop.withdrawals.hint")} />
      <div class="admin-filters">
        <Segments<View>
          label={text("shop.payments.view")}
          value={view}
          choices={[
            { value: "waiting", label: text("shop.withdrawals.view.waiting") },
            { value: "all", label: text("shop.withdrawals.view.all") },
          ]}
          onChange={(next) => query.set({ view: next === "all" ? "all" : "", state: "", cursor: "" })}
        />
        {view === "all" && (
          <FilterSelect
            query={query}
            name="state"
            label={text("shop.ui.state")}
            any={text("shop.ui.anyState")}
            choices={withdrawalStates.map((value) => ({
              value,
              label: text(`shop.withdrawals.state.${value}`),
            }))}
          />
        )}
      </div>
      <CursorList page={page} empty={empty}>
        <div class="shop-table withdrawals-table">
          <Table
            caption={text("shop.nav.withdrawals")}
            columns={toColumns()}
            rows={page.items}
            keyOf={({ id }) => id}
          />
        </div>
      </CursorList>
    </>
  );
}
