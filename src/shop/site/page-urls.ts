/** Where buyers find orders, products and the withdrawal: the addresses of the settings, or else the shop's own pages. */
import type { SiteSettings } from "./schema.ts";

/** The order's page of this shop. */
const ORDER_PAGE = "/orders/{number}?token={token}";
const PRODUCT_PAGE = "/p/{slug}";
const WITHDRAWAL_PAGE = "/withdraw";

/** The address of an order's page, with places to be filled in. */
export function toOrderTemplate({ orderUrlTemplate }: Pick<SiteSettings, "orderUrlTemplate">): string {
  return orderUrlTemplate || ORDER_PAGE;
}

/** A shop that does not know its own address can name its pages in no mail. */
function orOwn(set: string, own: string, publicUrl: string): string {
  return set === "" && publicUrl !== "" ? own : set;
}

/** URLs in emails; "" without a page. */
export function toMailedAddresses(
  {
    orderUrlTemplate,
    productUrlTemplate,
    eu,
  }: Pick<SiteSettings, "orderUrlTemplate" | "productUrlTemplate" | "eu">,
  publicUrl: string,
): { readonly order: string; readonly product: string; readonly withdrawal: string } {
  return {
    order: orOwn(orderUrlTemplate, ORDER_PAGE, publicUrl),
    product: orOwn(productUrlTemplate, PRODUCT_PAGE, publicUrl),
    withdrawal: orOwn(eu.withdrawalUrl, WITHDRAWAL_PAGE, publicUrl),
  };
}
