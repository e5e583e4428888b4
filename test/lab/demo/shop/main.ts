/** `ADMIN_TOKEN=adm_… npm run demo -- shop`: fills an empty shop that is running; docs/shop.md says what with. */
import process from "node:process";
import { textOf } from "../../../../src/kit/thrown.ts";
import { createApi } from "./api.ts";
import { fillShop } from "./fill.ts";
import { createSignIn } from "./people.ts";

export const shopHelp = `ADMIN_TOKEN=adm_… npm run demo -- shop [--url U] [--auth U] [--add]

Fills a running shop that has no products and no orders: 24 products in four categories, customers with orders
in many states, a coupon, shipping, VAT. Addresses are http://127.0.0.1:8081 unless --url says otherwise.
--auth U   the auth center, for two conversations of people who sign in there; it must send no mails
--add      fill a shop that has products or orders; its settings stay as they are`;

/** What the command line says. */
export interface ShopDemo {
  readonly url: string;
  readonly auth?: string | undefined;
  readonly isAdding: boolean;
}

/** Fills the shop, and says how to be rid of it. @throws Error in words for people */
export async function runShopDemo({ url, auth, isAdding }: ShopDemo): Promise<void> {
  const adminToken = process.env["ADMIN_TOKEN"] ?? "";
  if (adminToken === "") throw new Error("Set ADMIN_TOKEN to the token of the shop's administrator");
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      return await fetch(new URL(path, url), init);
    } catch (error) {
      throw new Error(`Nothing answers at ${url}: is the shop started? (${textOf(error)})`, { cause: error });
    }
  };
  await fillShop(createApi({ send, adminToken }), {
    isAdding,
    say: (text) => console.log(`- ${text}`),
    ...(auth === undefined ? {} : { signIn: createSignIn(auth, adminToken) }),
  });
  console.log(`
  ${url}/        what buyers see
  ${url}/admin   what you see

The demo payment is as it was. To buy something yourself without paying, start the shop with SHOP_DEMO=1.
To be rid of it all, stop the shop and remove its data folder (DATA_DIR): orders and invoices cannot be deleted
one by one. Products that nobody bought can.`);
}
