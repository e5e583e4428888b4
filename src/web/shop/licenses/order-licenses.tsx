/** Licenses of an order. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Panel } from "../../ui/panel.tsx";
import type { OrderView } from "../ui/orders/order-data.ts";
import { LicenseList, useLicenses } from "./license-list.tsx";

/** The panel; nothing for orders without licenses. */
export function OrderLicenses({ order }: { order: OrderView }): JSX.Element | null {
  const pages = useLicenses(`orderId=${encodeURIComponent(order.id)}`);
  if (pages.items.length === 0) return null;
  return (
    <Panel title={text("shop.licenses")}>
      <LicenseList pages={pages} />
    </Panel>
  );
}
