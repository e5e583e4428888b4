/** Buyer, address and shipping of an order. */
import type { JSX } from "preact";
import type { WithdrawalList } from "../../../shop/withdrawals/answer-schema.ts";
import { toCountry, toDay } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { Moment } from "../../ui/console/pieces.tsx";
import { AddressBlock } from "../ui/orders/address-block.tsx";
import { Facts } from "../../ui/facts.tsx";
import type { OrderView } from "../ui/orders/order-data.ts";
import { Panel } from "../../ui/panel.tsx";
import { WITHDRAWALS } from "../ui/orders/withdrawal-data.ts";
import { WithdrawalMark } from "../ui/orders/withdrawal-marks.tsx";

function toLanguage(tag: string): string {
  return new Intl.DisplayNames([document.documentElement.lang || "en"], { type: "language" }).of(tag) ?? tag;
}

/** Guests have no account; the list finds them by their address. */
function toCustomerAddress({ userId, contact }: OrderView): string {
  return userId === undefined
    ? `/admin/customers?q=${encodeURIComponent(contact.email)}`
    : `/admin/customers/${encodeURIComponent(userId)}`;
}

/** The result of the check of a VAT ID, with its proof. */
function toVatWords({ state, at, consultation, name }: NonNullable<OrderView["vatCheck"]>): string {
  const proof = consultation && text("shop.order.vatCheck.proof", { number: consultation });
  const found = text(`shop.order.vatCheck.${state}`, { date: toDay(Date.parse(at)) });
  return [found, name, proof].filter((part) => part !== undefined).join(", ");
}

/** The buyer. */
export function OrderBuyer({ order }: { order: OrderView }): JSX.Element {
  const { contact, shippingAddress, billingAddress, country, vatId, vatCheck, note, language } = order;
  const mail = (
    <a href={`mailto:${contact.email}?subject=${encodeURIComponent(order.number)}`}>{contact.email}</a>
  );
  const customer = (
    <a class="button small" href={toCustomerAddress(order)}>
      {text("shop.ui.customer")}
    </a>
  );
  const where = shippingAddress ?? billingAddress;
  return (
    <Panel title={text("shop.ui.buyer")} action={customer}>
      <Facts
        facts={[
          [text("shop.order.email"), mail],
          [
            text("shop.order.account"),
            text(order.userId === undefined ? "shop.order.account.guest" : "shop.order.account.yes"),
          ],
          [text("shop.order.language"), toLanguage(language)],
          [
            text("shop.ui.country"),
            where === undefined && country !== undefined ? toCountry(country) : undefined,
          ],
          [text("shop.ui.vatId"), vatId === "" ? undefined : vatId],
          [text("shop.order.vatCheck"), vatCheck && toVatWords(vatCheck)],
          [text("shop.order.buyerReference"), order.buyerReference],
          [text("shop.order.orderReference"), order.orderReference],
        ]}
      />
      {note !== "" && (
        <div class="admin-note">
          <span class="message">
            <strong>{text("shop.order.buyersNote")}</strong> {note}
          </span>
        </div>
      )}
      {shippingAddress !== undefined && (
        <div>
          <h3>{text("shop.order.shippingAddress")}</h3>
          <AddressBlock address={shippingAddress} label={text("shop.order.shippingAddress")} />
        </div>
      )}
      {billingAddress !== undefined && (
        <div>
          <h3>{text("shop.order.billingAddress")}</h3>
          <AddressBlock address={billingAddress} label={text("shop.order.billingAddress")} />
        </div>
      )}
    </Panel>
  );
}

/** The parcel; nothing while none was sent. */
export function OrderShipment({ order: { shipment } }: { order: OrderView }): JSX.Element | null {
  if (shipment === undefined) return null;
  const { carrier, trackingNumber, trackingUrl, shippedAt } = shipment;
  const isWeb = /^https?:\/\//u.test(trackingUrl);
  return (
    <Panel title={text("shop.order.shipment")}>
      <Facts
        facts={[
          [text("shop.order.carrier"), carrier || undefined],
          [
            text("shop.order.trackingNumber"),
            trackingNumber === "" && !isWeb ? undefined : isWeb ? (
              <a href={trackingUrl} target="_blank" rel="noopener noreferrer">
                {trackingNumber || text("shop.order.track")}
              </a>
            ) : (
              trackingNumber
            ),
          ],
          [text("shop.order.line.sent"), shippedAt === undefined ? undefined : <Moment at={shippedAt} />],
        ]}
      />
    </Panel>
  );
}

/** The withdrawal of the buyer, if any. */
export function OrderWithdrawals({ order }: { order: OrderView }): JSX.Element | null {
  const path = `${WITHDRAWALS}?limit=50&orderId=${encodeURIComponent(order.id)}`;
  const { data } = usePolled<WithdrawalList>(path, 0);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Panel title={text("shop.nav.withdrawals")}>
      <ul class="plain-list lines">
        {data.items.map(({ id, receivedAt, state, isOverdue }) => (
          <li key={id}>
            <a href={`/admin/withdrawals/${id}`}>
              <Moment at={receivedAt} />
            </a>
            <WithdrawalMark state={state} isOverdue={isOverdue} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
