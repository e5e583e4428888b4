/** Documents of an order: invoice, credit notes and packing slip. */
import type { JSX } from "preact";
import type { InvoiceList } from "../../../shop/invoices/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { Panel } from "../../ui/panel.tsx";
import { INVOICES } from "../ui/orders/invoice-data.ts";
import { InvoiceNeeds } from "../ui/orders/invoice-needs.tsx";
import { PrintLinks } from "../ui/print-links.tsx";
import { type OrderView, orderPath } from "../ui/orders/order-data.ts";

/** The panel. */
export function OrderDocuments({ order }: { order: OrderView }): JSX.Element {
  const path = `${INVOICES}?limit=50&orderId=${encodeURIComponent(order.id)}`;
  const { data } = usePolled<InvoiceList>(path, 0);
  const slip = text("shop.order.packingSlip");
  return (
    <Panel title={text("shop.order.documents")}>
      <ul class="plain-list lines">
        {data?.items.map(({ id, kind, number, eInvoice }) => {
          const name = `${text(`shop.invoices.kind.${kind}`)} ${number}`;
          return (
            <li key={id}>
              <span>{name}</span>
              <PrintLinks path={`${INVOICES}/${id}`} name={name} isEInvoice={eInvoice} />
            </li>
          );
        })}
        <li>
          <span>{slip}</span>
          <PrintLinks path={orderPath(order.id, "/packing-slip")} name={slip} />
        </li>
      </ul>
      {data?.items.length === 0 && (
        <>
          <p class="field-hint">{text("shop.order.documents.none")}</p>
          <InvoiceNeeds />
        </>
      )}
    </Panel>
  );
}
