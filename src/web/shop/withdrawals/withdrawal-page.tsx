/** One withdrawal: what the buyer stated, what to look at before deciding, and the steps until the money is back. */
import type { JSX } from "preact";
import type { WithdrawalView } from "../../../shop/withdrawals/answer-schema.ts";
import { findText, text } from "../../app/texts.ts";
import { Crumbs, Moment, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { Icon } from "../../ui/icons.tsx";
import { toActorName } from "../ui/orders/event-names.ts";
import { Facts } from "../../ui/facts.tsx";
import { nameLine } from "../ui/orders/line-name.ts";
import { showMoney } from "../ui/money.ts";
import { type OrderView, orderPath } from "../ui/orders/order-data.ts";
import { OrderLink } from "../ui/orders/order-marks.tsx";
import { Panel } from "../../ui/panel.tsx";
import { WITHDRAWALS } from "../ui/orders/withdrawal-data.ts";
import { WithdrawalMark } from "../ui/orders/withdrawal-marks.tsx";
import { WithdrawalActions } from "./withdrawal-actions.tsx";
import { Note } from "../../ui/console/note.tsx";

/** Withdrawn items, named as in the order if it is loaded. */
function Withdrawn({ withdrawal, order }: { withdrawal: WithdrawalView; order: OrderView | undefined }) {
  const { lines, what } = withdrawal;
  return (
    <>
      {lines.length === 0 && what === "" && text("shop.withdrawals.whole")}
      {lines.length > 0 && (
        <ul class="plain-list">
          {lines.map(({ lineId, quantity }) => {
            const line = order?.lines.find(({ id }) => id === lineId);
            return (
              <li key={lineId}>
                {quantity} × {line === undefined ? lineId : nameLine(line)}
              </li>
            );
          })}
        </ul>
      )}
      {what !== "" && <span class="message">{what}</span>}
    </>
  );
}

function Content(props: {
  withdrawal: WithdrawalView;
  order: OrderView | undefined;
  onChange: () => Promise<void>;
}): JSX.Element {
  const { withdrawal, order, onChange } = props;
  const { name, email, orderId, orderNumber, marks, suggestedRefund, currency, history } = withdrawal;
  return (
    <>
      <PageHead title={text("shop.withdrawals.title", { number: orderNumber })}>
        <WithdrawalMark state={withdrawal.state} isOverdue={withdrawal.isOverdue} />
      </PageHead>
      {marks.map((mark) => (
        <Note kind="warn" key={mark}>
          {text(`shop.withdrawals.mark.${mark}`)}
        </Note>
      ))}
      <p>{text(`shop.withdrawals.next.${withdrawal.state}`)}</p>
      <WithdrawalActions withdrawal={withdrawal} order={order} onChange={onChange} />
      <div class="order-columns">
        <Panel title={text("shop.withdrawals.statement")}>
          <Facts
            facts={[
              [text("shop.ui.buyer"), name],
              [text("shop.order.email"), <a href={`mailto:${email}`}>{email}</a>],
              [
                text("shop.ui.order"),
                orderId === undefined ? orderNumber : <OrderLink id={orderId} number={orderNumber} />,
              ],
              [text("shop.withdrawals.what"), <Withdrawn withdrawal={withdrawal} order={order} />],
              [text("shop.ui.received"), <Moment at={withdrawal.receivedAt} />],
              [text("shop.withdrawals.refundBy"), <Moment at={withdrawal.refundBy} />],
              [
                text("shop.withdrawals.suggested"),
                suggestedRefund === undefined || currency === undefined
                  ? undefined
                  : showMoney(suggestedRefund, currency),
              ],
            ]}
          />
        </Panel>
        <Panel title={text("shop.ui.history")}>
          <ol class="plain-list timeline">
            {[...history].reverse().map(({ at, by, event, note }) => (
              <li key={`${at} ${event}`}>
                <Icon name="history" />
                <div>
                  <p class="timeline-title">{findText(`shop.withdrawals.event.${event}`) ?? event}</p>
                  {note !== undefined && <p class="timeline-note break">{note}</p>}
                  <p class="field-hint">
                    <Moment at={at} /> · {toActorName(by)}
                  </p>
                </div>
              </li>
            ))}
          </ol>
        </Panel>
      </div>
    </>
  );
}

/** With its order, whose lines it names. */
function WithOrder(props: { withdrawal: WithdrawalView; orderId: string; onChange: () => Promise<void> }) {
  const { withdrawal, orderId, onChange } = props;
  const { data, refresh } = usePolled<OrderView>(orderPath(orderId), 0);
  const both = async (): Promise<void> => {
    await Promise.all([onChange(), refresh()]);
  };
  return <Content withdrawal={withdrawal} order={data} onChange={both} />;
}

/** The page. */
export function WithdrawalPage({ id }: { id: string }): JSX.Element {
  const { data, error, refresh } = usePolled<WithdrawalView>(`${WITHDRAWALS}/${id}`, 0);
  return (
    <>
      <Crumbs to="/admin/withdrawals" label="shop.nav.withdrawals" />
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {data === undefined && error === undefined && <p class="empty">{text("page.loading")}</p>}
      {data?.orderId !== undefined && (
        <WithOrder withdrawal={data} orderId={data.orderId} onChange={refresh} />
      )}
      {data && data.orderId === undefined && (
        <Content withdrawal={data} order={undefined} onChange={refresh} />
      )}
    </>
  );
}
