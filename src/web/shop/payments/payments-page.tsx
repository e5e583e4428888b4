/** Payment notices: the inbox of those that wait for a person, and all that ever came. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Segments, SelectField } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { Ago, PageHead } from "../../ui/console/pieces.tsx";
import { useQuery } from "../../ui/console/query.ts";
import { Empty } from "../../ui/empty.tsx";
import { PAYMENTS, type NoticeView, noticeStates } from "../ui/orders/notice-data.ts";
import { NoticeState } from "../ui/orders/notice-marks.tsx";
import { nameNotice, toReason } from "../ui/orders/notice-words.ts";
import { useProviders } from "../ui/providers.ts";
import { InboxCase } from "./inbox-case.tsx";

type View = "inbox" | "all";

function Inbox(): JSX.Element {
  const page = useCursorPage<NoticeView>(PAYMENTS, { open: "true" });
  const providers = useProviders();
  const empty = (
    <Empty
      icon="check"
      title={text("shop.payments.inbox.empty")}
      hint={text("shop.payments.inbox.emptyHint")}
    />
  );
  return (
    <CursorList page={page} empty={empty}>
      <ul class="plain-list stack">
        {page.items.map((notice) => (
          <li key={notice.id}>
            <InboxCase
              notice={notice}
              title={providers.find(({ word }) => word === notice.provider)?.title ?? notice.provider}
              onChange={page.refresh}
            />
          </li>
        ))}
      </ul>
    </CursorList>
  );
}

function toColumns(titles: ReadonlyMap<string, string>): readonly TableColumn<NoticeView>[] {
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

function All(): JSX.Element {
  const query = useQuery();
  const page = useCursorPage<NoticeView>(PAYMENTS, { state: query.get("state") });
  const titles = new Map(useProviders().map(({ word, title }) => [word, title]));
  return (
    <>
      <div class="filter-fields">
        <SelectField<string>
          label={text("shop.ui.state")}
          value={query.get("state")}
          choices={[
            { value: "", label: text("shop.ui.anyState") },
            ...noticeStates.map((value) => ({ value, label: text(`shop.payments.state.${value}`) })),
          ]}
          onChange={(state) => query.set({ state, cursor: "" })}
        />
      </div>
      <CursorList page={page} empty={text("shop.payments.none")}>
        <div class="shop-table payments-table">
          <Table
            caption={text("shop.payments.view.all")}
            columns={toColumns(titles)}
            rows={page.items}
            keyOf={({ id }) => id}
          />
        </div>
      </CursorList>
    </>
  );
}

/** The section. */
export function PaymentsPage(): JSX.Element {
  const query = useQuery();
  const view: View = query.get("view") === "all" ? "all" : "inbox";
  return (
    <>
      <PageHead title={text("shop.nav.payments")} hint={text(`shop.payments.view.${view}.hint`)} />
      <Segments<View>
        label={text("shop.payments.view")}
        value={view}
        choices={[
          { value: "inbox", label: text("shop.payments.view.inbox") },
          { value: "all", label: text("shop.payments.view.all") },
        ]}
        onChange={(next) => query.set({ view: next === "all" ? "all" : "", state: "", cursor: "" })}
      />
      {view === "inbox" ? <Inbox /> : <All />}
    </>
  );
}
