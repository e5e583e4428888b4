/** The kind of field for the parts of a bundle: products found by a search, each with its quantity. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { type Kind, isTypedGroup, isTypedList, memberText } from "../../ui/resource/kind.ts";
import { sayPlain } from "../../ui/resource/kinds.tsx";
import type { ProductContext } from "./product-context.ts";

const PartsField = lazy(async () => (await import("./parts-field.tsx")).PartsField, null);

function read(stored: unknown, name: string): string {
  const value: unknown = typeof stored === "object" && stored !== null ? Reflect.get(stored, name) : "";
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Parts; none make the product no bundle. */
export function partsKind(): Kind<ProductContext> {
  return {
    blank: [],
    toTyped: (value) =>
      (Array.isArray(value) ? value : []).map((part: unknown) => ({
        productId: read(part, "productId"),
        variantId: read(part, "variantId"),
        quantity: read(part, "quantity"),
      })),
    read: (typed) => {
      const rows = (isTypedList(typed) ? typed : []).filter(isTypedGroup);
      const faults = rows.flatMap((row, at) =>
        /^[1-9]\d{0,2}$/u.test(memberText(row, "quantity").trim())
          ? []
          : [[`/${at}/quantity`, "shop.ui.fault.whole"] as const],
      );
      if (faults.length > 0) return { faults: new Map(faults) };
      return {
        value: rows.map((row) => {
          const variantId = memberText(row, "variantId");
          const quantity = Number(memberText(row, "quantity"));
          return {
            productId: memberText(row, "productId"),
            ...(variantId !== "" && { variantId }),
            quantity,
          };
        }),
      };
    },
    Field: (shown): JSX.Element => <PartsField {...shown} />,
    say: (value) =>
      sayPlain(
        Array.isArray(value) ? value.map((part) => read(part, "productId")) : text("admin.value.none"),
      ),
  };
}
