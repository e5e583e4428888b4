/** One order: what was ordered, who pays and gets it, what happened, and what can be done about it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { Button } from "../../ui/controls.tsx";
import { Ago, Crumbs, Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { Icon } from "../../ui/icons.tsx";
import type { Attention } from "../../../shop/orders/schema.ts";
import { type OrderPart, type OrderView, mayWriteOrders, orderPath } from "../ui/orders/order-data.ts";
import { PaymentMark, StatusMark } from "../ui/orders/order-marks.tsx";
import { OrderActions } from "./order-actions.tsx";
import { OrderBuyer, OrderShipment, OrderWithdrawals } from "./order-buyer.tsx";
import { OrderDocuments } from "./order-documents.tsx";
import { OrderDownloads } from "./order-downloads.tsx";
import { OrderGiftCards } from "./order-gift-cards.tsx";
import { OrderLines } from "./order-lines.tsx";
import { OrderPayment } from "./order-payment.tsx";
import { OrderTimeline } from "./order-timeline.tsx";

const OrderLicenses = lazy(async () => (await import("../licenses/order-licenses.tsx")).OrderLicenses);
const ResolveDialog = lazy(async () => (await import("./actions/small-dialogs.tsx")).ResolveDialog, null);

/** Flags that are settled on a page of their own. */
function toPlace(flag: Attention): string | undefined {
  if (flag === "withdrawal") return "/admin/withdrawals";
  const isMoney = [
    ...(["late_payment", "paid_after_cancel", "duplicate_payment", "currency_mismatch"] as const),
    ...(["other_method", "unverified_notice"] as const),
  ].some((one) => one === flag);
  return isMoney ? "/admin/payments" : undefined;
}

/** Attention flags: their meaning, the next step, and a button that resolves them. */
function Attentions({ order, onChange }: OrderPart): JSX.Element {
  const [open, setOpen] = useState<Attention | undefined>();
  return (
    <>
      {order.attention.map((flag) => {
        const place = toPlace(flag);
        return (
          <div class="admin-note is-bad" key={flag}>
            <Icon name="alert" />
            <span>
              <strong>{text(`shop.order.attention.${flag}`)}.</strong>{" "}
              {text(`shop.order.attention.${flag}.text`)}
            </span>
            {place !== undefined && (
              <a class="button small" href={place}>
                {text("shop.order.attention.look")}
              </a>
            )}
            {mayWriteOrders() && (
              <Button small onClick={() => setOpen(flag)}>
                {text("shop.order.resolve")}
              </Button>
            )}
          </div>
        );
      })}
      {open !== undefined && (
        <ResolveDialog order={order} onChange={onChange} flag={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

function Content({ order, onChange }: OrderPart): JSX.Element {
  const part = { order, onChange };
  // An action may have changed what the panels next to the order show.
  const key = String(order.version);
  return (
    <>
      <PageHead title={<span class="order-number">{order.number}</span>}>
        <span class="marks">
          <StatusMark status={order.status} />
          <PaymentMark status={order.paymentStatus} />
        </span>
        <span class="field-hint">
          <Ago at={order.createdAt} />
        </span>
      </PageHead>
      <Attentions {...part} />
      {mayWriteOrders() && <OrderActions {...part} />}
      <div class="order-columns">
        <div class="stack">
          <OrderLines {...part} />
          <OrderTimeline id={order.id} key={key} />
        </div>
        <div class="stack">
          <OrderBuyer order={order} />
          <OrderShipment order={order} />
          <OrderPayment order={order} key={key} />
          {order.lines.some(({ deliveryType }) => deliveryType === "auto_secret") && (
            <OrderLicenses order={order} key={`licenses ${key}`} />
          )}
          {(order.giftCards !== undefined ||
            order.lines.some(({ deliveryType }) => deliveryType === "gift_card")) && (
            <OrderGiftCards order={order} />
          )}
          <OrderDownloads order={order} key={`downloads ${key}`} />
          <OrderWithdrawals order={order} key={`withdrawals ${key}`} />
          <OrderDocuments order={order} key={`documents ${key}`} />
        </div>
      </div>
    </>
  );
}

/** The page. */
export function OrderPage({ id }: { id: string }): JSX.Element {
  const loaded = usePolled<OrderView>(orderPath(id), 0);
  return (
    <>
      <Crumbs to="/admin/orders" label="shop.nav.orders" />
      <Loaded of={loaded}>{(data) => <Content order={data} onChange={loaded.refresh} />}</Loaded>
    </>
  );
}
