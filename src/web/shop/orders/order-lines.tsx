/** Lines of an order with their amounts and deliveries. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { toNumber } from "../../app/format.ts";
import { countText, text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { Button } from "../../ui/controls.tsx";
import { Badge, CopyBox, Moment } from "../../ui/console/pieces.tsx";
import { type Fact, Facts } from "../../ui/facts.tsx";
import { showMoney } from "../ui/money.ts";
import { Panel } from "../../ui/panel.tsx";
import { type LineView, type OrderPart, type OrderView, mayWriteOrders } from "../ui/orders/order-data.ts";
import type { KeyPlace } from "./actions/goods-dialogs.tsx";

const KeyDialog = lazy(async () => (await import("./actions/goods-dialogs.tsx")).KeyDialog, null);

const BASIS_POINTS = 100;

function Delivered(props: { line: LineView; onReplace: (index: number) => void }): JSX.Element | null {
  const { line, onReplace } = props;
  const { delivered = [], deliveryType } = line;
  if (delivered.length === 0) return null;
  return (
    <details class="fold">
      <summary>{countText("shop.order.delivered", delivered.length)}</summary>
      <div class="stack-small">
        {delivered.map((value, index) => (
          <div class="delivered-key" key={`${index} ${value}`}>
            <CopyBox label={text("shop.order.deliveredItem", { at: index + 1 })} value={value} />
            {deliveryType === "auto_secret" && mayWriteOrders() && (
              <Button kind="quiet" onClick={() => onReplace(index)}>
                {text("shop.order.key")}
              </Button>
            )}
          </div>
        ))}
      </div>
    </details>
  );
}

function LineState({ line, order }: { line: LineView; order: OrderView }): JSX.Element | null {
  if (line.deliveredAt !== undefined)
    return (
      <span class="field-hint">
        {text(line.deliveryType === "shipping" ? "shop.order.line.sent" : "shop.order.line.delivered")}{" "}
        <Moment at={line.deliveredAt} />
      </span>
    );
  const waits = order.status === "paid" || order.status === "fulfilling";
  return waits ? <Badge kind="warn">{text("shop.order.line.waits")}</Badge> : null;
}

function Line({
  line,
  order,
  onReplace,
}: {
  line: LineView;
  order: OrderView;
  onReplace: (index: number) => void;
}) {
  const { title, sku, options, quantity, unitPrice, inputs, productId, returned = 0 } = line;
  const facts = [...Object.entries(options), ...Object.entries(inputs)];
  return (
    <li class="order-line">
      <div class="order-line-head">
        <span class="break">
          {quantity > 1 && <strong>{toNumber(quantity)} × </strong>}
          <a href={`/admin/products/${productId}`}>{title}</a>
        </span>
        <span class="amount">{showMoney(line.subtotal, order.currency)}</span>
      </div>
      <span class="field-hint break">
        {[
          sku,
          ...facts.map(([name, value]) => `${name}: ${value}`),
          ...(quantity > 1
            ? [text("shop.order.line.each", { price: showMoney(unitPrice, order.currency) })]
            : []),
        ]
          .filter((part) => part !== "")
          .join(" · ")}
      </span>
      <LineState line={line} order={order} />
      {returned > 0 && <span class="field-hint">{countText("shop.order.line.returned", returned)}</span>}
      <Delivered line={line} onReplace={onReplace} />
    </li>
  );
}

/** The sums; those of nothing are left out. */
function listSums(order: OrderView): readonly Fact[] {
  const { currency, tax, pricesIncludeTax, couponCode, discounts } = order;
  const names = discounts?.filter(({ amount }) => amount > 0).map(({ title }) => title);
  const named = names === undefined ? couponCode : names.join(", ") || undefined;
  const show = (amount: number): string => showMoney(amount, currency);
  const isTold = (amount: number, value: string): string | undefined => (amount === 0 ? undefined : value);
  const rates = (tax?.rates ?? []).filter((rate) => rate.tax > 0);
  return [
    [text("shop.order.sum.subtotal"), order.subtotal === order.total ? undefined : show(order.subtotal)],
    [
      named === undefined ? text("shop.order.sum.discount") : text("shop.order.sum.coupon", { code: named }),
      isTold(order.discount, show(-order.discount)),
    ],
    [
      order.shippingTitle === undefined
        ? text("shop.order.sum.shipping")
        : text("shop.order.sum.shippingBy", { title: order.shippingTitle }),
      isTold(order.shipping, show(order.shipping)),
    ],
    ...rates.map((rate): Fact => [
      text(pricesIncludeTax === true ? "shop.order.sum.taxIncluded" : "shop.order.sum.tax", {
        rate: toNumber(rate.rate / BASIS_POINTS, 2),
      }),
      show(rate.tax),
    ]),
    [text("shop.ui.total"), <strong key="total">{show(order.total)}</strong>],
    [text("shop.order.sum.paid"), show(order.amountPaid + order.amountRefunded)],
    [text("shop.order.sum.refunded"), isTold(order.amountRefunded, show(-order.amountRefunded))],
    [text("shop.order.sum.due"), isTold(order.amountDue, show(order.amountDue))],
  ];
}

/** The panel. */
export function OrderLines({ order, onChange }: OrderPart): JSX.Element {
  const [place, setPlace] = useState<KeyPlace | undefined>();
  return (
    <Panel title={text("shop.order.lines")}>
      <ul class="plain-list order-lines">
        {order.lines.map((line) => (
          <Line line={line} order={order} key={line.id} onReplace={(index) => setPlace({ line, index })} />
        ))}
      </ul>
      <div class="order-sums">
        <Facts facts={listSums(order)} />
      </div>
      {place !== undefined && (
        <KeyDialog order={order} onChange={onChange} place={place} onClose={() => setPlace(undefined)} />
      )}
    </Panel>
  );
}
