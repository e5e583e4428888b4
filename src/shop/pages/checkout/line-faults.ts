/** Faults of what is ordered, with the name of the thing that they are about. */
import type { Fault } from "../../../html/faults.ts";
import { wordsIn } from "../../catalogue/languages.ts";
import type { CatalogueItem } from "../../catalogue/item.ts";
import type { CheckoutView } from "./checkout-view.ts";

type About = Pick<CheckoutView, "visit" | "items" | "found" | "preview"> & {
  readonly values: Readonly<Record<string, string>>;
};

const PLACE = /^items\.(\d+)\.(\w+)(?:\.(.+))?$/u;

/** The error of a quantity. */
function toQuantityWords(
  { visit: { t }, items, preview }: About,
  { product }: CatalogueItem,
  index: number,
): string | undefined {
  const quantity = items[index]?.quantity ?? 0;
  const { minQuantity: min, maxQuantity: max } = product;
  if (quantity < min || quantity > max) return t("checkout.quantity", { min, max });
  const line = preview?.lines[index];
  if (line === undefined || line.isAvailable) return undefined;
  return (line.left ?? 0) === 0 ? t("product.out") : t("product.left", { count: line.left ?? 0 });
}

function toInputFault(
  { visit: { t }, values }: About,
  { product }: CatalogueItem,
  { field, key }: { readonly field: string; readonly key: string },
): Fault {
  const label = product.inputs.find((each) => each.key === key)?.label ?? key;
  const isEmpty = (values[field] ?? "").trim() === "";
  return { field, text: t(isEmpty ? "checkout.inputEmpty" : "checkout.inputWrong", { label }) };
}

/** The faults, each at its line or field. */
export function toLineFaults(faults: readonly Fault[], about: About): Fault[] {
  const { visit, found, preview } = about;
  const { t, money, sellersLanguage } = visit;
  return faults.map((fault) => {
    if (fault.field === "expectedTotal" && preview !== undefined)
      return {
        ...fault,
        text: t("checkout.priceChanged", { total: money(preview.total, preview.currency) }),
      };
    const [, place, member, key] = PLACE.exec(fault.field ?? "") ?? [];
    if (place === undefined) return fault;
    const index = Number(place);
    const item = found[index];
    const field = `items.${index}.quantity`;
    if (item === undefined) return { field, text: t("checkout.unavailableFault") };
    if (member === "inputs" && key !== undefined)
      return toInputFault(about, item, { field: fault.field ?? field, key });
    const { title } = wordsIn(item.product, sellersLanguage);
    return { field, text: `${title}: ${toQuantityWords(about, item, index) ?? fault.text}` };
  });
}
