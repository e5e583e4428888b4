/** Payment notifications: those that need a decision, and all of them. */
import type { JSX } from "preact";
import { useContext } from "preact/hooks";
import { type NoticeView, noticeQuerySchema } from "../../../shop/payments/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Ago } from "../../ui/console/pieces.tsx";
import type { TableColumn } from "../../ui/controls-table.tsx";
import type { Listing } from "../../ui/resource/resource.ts";
import { PAYMENTS } from "../ui/orders/notice-data.ts";
import { NoticeState } from "../ui/orders/notice-marks.tsx";
import { nameNotice, toReason } from "../ui/orders/notice-words.ts";
import { ProviderTitles, useProviders } from "../ui/providers.ts";
import { ViewList } from "../ui/view-list.tsx";
import { InboxCase } from "./inbox-case.tsx";

function useColumns(): readonly TableColumn<NoticeView>[] {
  const titles = useContext(ProviderTitles);
  return [
    {
      key: "what",
      label: text("admin.column.what"),
      cell: (notice) => <a href={`/admin/payments/${notice.id}`}>{nameNotice(notice)}</a>,
    },
    {
      key: "state",
      label: text("shop.ui.state"),
      cell: ({ state, reason }) => (
        <>
          <NoticeState state={state} />
          {reason !== "" && <span class="field-hint break">{toReason(reason)}</span>}
        </>
      ),
    },
    {
      key: "order",
      label: text("shop.ui.order"),
      cell: ({ orderId, claimedOrderId }) =>
        orderId === undefined ? (
          <span class="break">{claimedOrderId}</span>
        ) : (
          <a href={`/admin/orders/${orderId}`}>{text("shop.payments.openOrder")}</a>
        ),
    },
    {
      key: "provider",
      label: text("shop.order.provider"),
      cell: ({ provider, providerRef }) => (
        <>
          {titles.get(provider) ?? text("shop.payments.manual")}
          <span class="field-hint break">{providerRef}</span>
        </>
      ),
    },
    { key: "when", label: text("shop.ui.received"), cell: ({ receivedAt }) => <Ago at={receivedAt} /> },
  ];
}

const shared = {
  api: PAYMENTS,
  navigation: "shop.nav.payments",
  write: "orders:write",
  idOf: ({ id }: NoticeView) => id,
  nameOf: nameNotice,
} as const;

export const inbox: Listing<NoticeView> = {
  ...shared,
  texts: "shop.payments.view.inbox",
  table: { icon: "check", Card: InboxCase },
};

export const allNotices: Listing<NoticeView> = {
  ...shared,
  texts: "shop.payments.view.all",
  table: {
    class: "shop-table payments-table",
    query: noticeQuerySchema,
    filters: [
      { name: "state", label: "shop.ui.state", words: "shop.payments.state", any: "shop.ui.anyState" },
    ],
    columns: useColumns,
  },
};

/** The section. */
export function PaymentsPage(): JSX.Element {
  const titles = new Map(useProviders().map(({ word, title }) => [word, title]));
  return (
    <ProviderTitles.Provider value={titles}>
      <ViewList
        label="shop.payments.view"
        views={[
          { name: "inbox", of: inbox, path: `${PAYMENTS}?open=true` },
          { name: "all", of: allNotices },
        ]}
      />
    </ProviderTitles.Provider>
  );
}
