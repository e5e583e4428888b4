/** How an order is paid: with whom, until when, what payment services said, and what was given back. */
import type { JSX } from "preact";
import type { RefundList } from "../../../shop/fulfilment/answer-schema.ts";
import type { NoticeList } from "../../../shop/payments/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { Facts } from "../../ui/facts.tsx";
import { showMoney } from "../ui/money.ts";
import { PAYMENTS } from "../ui/orders/notice-data.ts";
import { NoticeState } from "../ui/orders/notice-marks.tsx";
import { nameNotice } from "../ui/orders/notice-words.ts";
import { PaymentMark } from "../ui/orders/order-marks.tsx";
import { type OrderView, orderPath } from "../ui/orders/order-data.ts";
import { Panel } from "../../ui/panel.tsx";
import { useProviderTitle } from "../ui/providers.ts";
import { Note } from "../../ui/console/note.tsx";

const kinds = { moved: "good", pending: "warn", unclear: "bad", failed: "bad" } as const;

/** Refunds requested from payment providers. */
function Refunds({ id }: { id: string }): JSX.Element | null {
  const { data } = usePolled<RefundList>(orderPath(id, "/refunds"), 0);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <>
      <h3>{text("shop.order.refunds")}</h3>
      <ul class="plain-list lines">
        {data.items.map(({ id: refundId, amount, currency, status, said, createdAt }) => (
          <li key={refundId}>
            <span>
              {showMoney(amount, currency)}{" "}
              <Badge kind={kinds[status]}>{text(`shop.order.refund.state.${status}`)}</Badge>
            </span>
            <span class="field-hint">
              <Moment at={createdAt} />
            </span>
            {(status === "failed" || status === "unclear") && said !== "" && (
              <span class="field-hint break">{said}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Notices({ id }: { id: string }): JSX.Element {
  const path = `${PAYMENTS}?limit=50&orderId=${encodeURIComponent(id)}`;
  const { data, error, refresh } = usePolled<NoticeList>(path, 0);
  if (error) return <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />;
  const items = data?.items ?? [];
  return (
    <>
      <h3>{text("shop.order.notices")}</h3>
      {data && items.length === 0 && <p class="field-hint">{text("shop.order.notices.none")}</p>}
      <ul class="plain-list lines">
        {items.map((notice) => (
          <li key={notice.id}>
            <a href={`/admin/payments/${notice.id}`}>{nameNotice(notice)}</a>
            <span class="marks">
              <NoticeState state={notice.state} />
              <span class="field-hint">
                <Moment at={notice.receivedAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The panel. */
export function OrderPayment({ order }: { order: OrderView }): JSX.Element {
  const title = useProviderTitle(order.paymentMethod);
  const { begun, status, expiresAt, paymentStatus, paidAt } = order;
  const waits = status === "pending_payment";
  const failed = waits && begun?.kind === "failed" ? (begun.failure ?? "unavailable") : undefined;
  return (
    <Panel title={text("shop.ui.payment")}>
      {failed !== undefined && <Note kind="warn">{text(`shop.order.begun.${failed}`)}</Note>}
      <Facts
        facts={[
          [text("shop.order.provider"), title],
          [text("shop.ui.state"), <PaymentMark status={paymentStatus} />],
          [text("shop.order.paidAt"), paidAt === undefined ? undefined : <Moment at={paidAt} />],
          [text("shop.order.expires"), waits ? <Moment at={expiresAt} /> : undefined],
        ]}
      />
      <Notices id={order.id} />
      <Refunds id={order.id} />
    </Panel>
  );
}
