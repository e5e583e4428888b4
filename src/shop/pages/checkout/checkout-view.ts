/** All that the page of the checkout is made from. */
import type { FormState } from "../../../html/faults.ts";
import type { CatalogueItem } from "../../catalogue/item.ts";
import type { Preview } from "../../checkout/preview.ts";
import type { Provider } from "../../site/schema.ts";
import type { Buyer } from "../account/buyers.ts";
import type { CartLine } from "../cart-cookie.ts";
import type { Visit } from "../visit.tsx";

export interface CheckoutView {
  readonly visit: Visit;
  readonly state: FormState;
  readonly buyer: Buyer;
  /** Whether people can sign in here. */
  readonly hasAccounts: boolean;
  readonly items: readonly CartLine[];
  /** The items ordered, by line; undefined for products that are no longer sold. */
  readonly found: readonly (CatalogueItem | undefined)[];
  readonly preview: Preview | undefined;
  readonly providers: readonly Provider[];
  /** Identifies this form: however often it is sent, it creates one order. */
  readonly formKey: string;
}

/** Whether anything of it is sent by a carrier. */
export function isSentAny({ found }: Pick<CheckoutView, "found">): boolean {
  return found.some((item) => item?.product.deliveryType === "shipping");
}
