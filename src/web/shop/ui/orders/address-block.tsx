/** An address as it is written on a parcel, with a button that copies it. */
import type { JSX } from "preact";
import type { Address } from "../../../../shop/orders/schema.ts";
import { toCountry } from "../../../app/format.ts";
import { text } from "../../../app/texts.ts";
import { IconButton } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";

function toLines(address: Address): readonly string[] {
  const { name, company = "", line1, line2 = "", city, region = "", postalCode = "", country } = address;
  const place = [postalCode, city].filter((part) => part !== "").join(" ");
  return [company, name, line1, line2, place, region, toCountry(country)].filter((line) => line !== "");
}

/** The address. */
export function AddressBlock({ address, label }: { address: Address; label: string }): JSX.Element {
  const lines = toLines(address);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(lines.join("\n"));
      showToast(text("admin.copied"));
    } catch {
      // No clipboard without https: it can still be marked and copied by hand.
      showToast(text("shop.order.copyFailed"), "bad");
    }
  };
  return (
    <div class="address-block">
      <address>
        {lines.map((line, index) => (
          <span key={index}>{line}</span>
        ))}
        {address.phone !== undefined && address.phone !== "" && (
          <a href={`tel:${address.phone.replaceAll(/[^+\d]/gu, "")}`}>{address.phone}</a>
        )}
      </address>
      <IconButton
        icon="copy"
        label={text("shop.order.copyAddress", { what: label })}
        onClick={() => void copy()}
      />
    </div>
  );
}
