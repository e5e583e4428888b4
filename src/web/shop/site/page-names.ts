/** Pages that buyers look for in every shop. */
import { text } from "../../app/texts.ts";

/** By their names in the address. */
export const usual = ["terms", "privacy", "imprint", "withdrawal"] as const;
type Usual = (typeof usual)[number];

/** Whether it is one of them. */
export function isUsual(slug: string): slug is Usual {
  return usual.some((one) => one === slug);
}

/** Name of a page without a title. */
export function toPageName(slug: string): string {
  return isUsual(slug) ? text(`shop.site.page.${slug}`) : slug;
}
