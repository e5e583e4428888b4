/** Settings that are missing before orders get invoices, each with a link. */
import type { JSX } from "preact";
import { text } from "../../../app/texts.ts";
import { usePolled } from "../../../ui/console/polled.ts";
import { Note } from "../../../ui/console/note.tsx";

/** A part of GET /api/admin/site. */
interface InvoiceFacts {
  readonly seller: Readonly<Record<"name" | "line1" | "city" | "country", string>>;
  readonly invoices: { readonly enabled: boolean };
}

/** A note while orders get no invoice; nothing once they do. `isSwitch` is where invoices are switched on: it need not lead there. */
export function InvoiceNeeds({ isSwitch = false }: { isSwitch?: boolean }): JSX.Element | null {
  const { data } = usePolled<InvoiceFacts>("/api/admin/site", 0);
  if (data === undefined || data.invoices.enabled) return null;
  const { name, line1, city, country } = data.seller;
  const isSellerKnown = [name, line1, city, country].every((part) => part !== "");
  if (isSwitch && isSellerKnown) return null;
  const what = isSellerKnown ? "shop.invoices.off" : "shop.invoices.needsSeller";
  return (
    <Note kind="warn">
      {text(what)}{" "}
      <a href={`/admin/shipping?tab=${isSellerKnown ? "invoices" : "seller"}`}>{text(`${what}.go`)}</a>
    </Note>
  );
}
