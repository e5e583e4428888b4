/** Withdrawals: those that need something to be done, the oldest first, and all of them. */
import type { JSX } from "preact";
import { type WithdrawalView, withdrawalQuerySchema } from "../../../shop/withdrawals/answer-schema.ts";
import { toDay } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Ago } from "../../ui/console/pieces.tsx";
import type { TableColumn } from "../../ui/controls-table.tsx";
import type { Listing } from "../../ui/resource/resource.ts";
import { showMoney } from "../ui/money.ts";
import { OrderLink } from "../ui/orders/order-marks.tsx";
import { WITHDRAWALS } from "../ui/orders/withdrawal-data.ts";
import { WithdrawalMark } from "../ui/orders/withdrawal-marks.tsx";
import { ViewList } from "../ui/view-list.tsx";

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
    { key: "when", label: text("shop.ui.received"), cell: ({ receivedAt }) => <Ago at={receivedAt} /> },
  ];
}

const shared = {
  api: WITHDRAWALS,
  navigation: "shop.nav.withdrawals",
  write: "orders:write",
  idOf: ({ id }: WithdrawalView) => id,
  nameOf: ({ name }: WithdrawalView) => name,
} as const;
const table = { class: "shop-table withdrawals-table", query: withdrawalQuerySchema, columns: toColumns };

export const openWithdrawals: Listing<WithdrawalView> = {
  ...shared,
  texts: "shop.withdrawals.view.waiting",
  table: { ...table, icon: "check" },
};

export const allWithdrawals: Listing<WithdrawalView> = {
  ...shared,
  texts: "shop.withdrawals.view.all",
  table: {
    ...table,
    filters: [
      { name: "state", label: "shop.ui.state", words: "shop.withdrawals.state", any: "shop.ui.anyState" },
    ],
  },
};

/** The section. */
export function WithdrawalsPage(): JSX.Element {
  return (
    <ViewList
      label="shop.withdrawals.view"
      views={[
        { name: "waiting", of: openWithdrawals, path: `${WITHDRAWALS}?waiting=true` },
        { name: "all", of: allWithdrawals },
      ]}
    />
  );
}
