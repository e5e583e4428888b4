/** One payment notification: what it says, how it was verified, and what became of it. */
import type { JSX } from "preact";
import type { NoticeView } from "../../../shop/payments/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { Crumbs, Loaded, Moment, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { Icon } from "../../ui/icons.tsx";
import { Facts } from "../../ui/facts.tsx";
import { PAYMENTS, isOpen } from "../ui/orders/notice-data.ts";
import { NoticeState } from "../ui/orders/notice-marks.tsx";
import { nameNotice, toAdvice, toReason } from "../ui/orders/notice-words.ts";
import { Panel } from "../../ui/panel.tsx";
import { useProviders } from "../ui/providers.ts";
import { NoticeActions } from "./notice-actions.tsx";

/** A body as it came, in lines where it is JSON. */
function toReadable(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), undefined, 2);
  } catch {
    return raw;
  }
}

function Content({ notice, onChange }: { notice: NoticeView; onChange: () => Promise<void> }): JSX.Element {
  const { provider, providerRef, claimedOrderId, orderId, verified, reason, repeats, raw } = notice;
  const title = useProviders().find(({ word }) => word === provider)?.title;
  return (
    <>
      <PageHead title={nameNotice(notice)}>
        <NoticeState state={notice.state} />
      </PageHead>
      {reason !== "" && (
        <div class={`admin-note ${isOpen(notice) ? "is-bad" : ""}`}>
          <Icon name={isOpen(notice) ? "alert" : "info"} />
          <div>
            <p>
              <strong>{toReason(reason)}</strong>
            </p>
            {isOpen(notice) && <p>{toAdvice(notice)}</p>}
          </div>
        </div>
      )}
      <NoticeActions notice={notice} onChange={onChange} />
      <Panel title={text("shop.payments.facts")}>
        <Facts
          facts={[
            [text("shop.order.provider"), title ?? text("shop.payments.manual")],
            [text("shop.order.reference"), <span class="break">{providerRef}</span>],
            [
              text("shop.ui.order"),
              orderId === undefined ? (
                <span class="break">{claimedOrderId}</span>
              ) : (
                <a href={`/admin/orders/${orderId}`}>{text("shop.payments.openOrder")}</a>
              ),
            ],
            [text("shop.payments.proof"), text(`shop.payments.proof.${verified}`)],
            [text("shop.ui.received"), <Moment at={notice.receivedAt} />],
            [
              text("shop.order.paidAt"),
              notice.paidAt === undefined ? undefined : <Moment at={notice.paidAt} />,
            ],
            [text("shop.payments.repeats"), repeats === 0 ? undefined : String(repeats)],
          ]}
        />
        {raw !== "" && (
          <details>
            <summary>{text("shop.payments.raw")}</summary>
            <pre tabIndex={0} aria-label={text("shop.payments.raw")}>
              {toReadable(raw)}
            </pre>
          </details>
        )}
      </Panel>
    </>
  );
}

/** The page. */
export function PaymentPage({ id }: { id: string }): JSX.Element {
  const loaded = usePolled<NoticeView>(`${PAYMENTS}/${id}`, 0);
  return (
    <>
      <Crumbs to="/admin/payments" label="shop.nav.payments" />
      <Loaded of={loaded}>{(data) => <Content notice={data} onChange={loaded.refresh} />}</Loaded>
    </>
  );
}
