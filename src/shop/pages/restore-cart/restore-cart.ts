/** The link of an email about a checkout: opens the order while it can be paid, else puts its items into the cart. */
import type { ShopDeps } from "../../base/deps.ts";
import { orders } from "../../orders/records.ts";
import { toOrderToken } from "../../orders/token.ts";
import { RESTORE_PATH, isRestoreToken } from "../../reminders/restore-link.ts";
import { MAX_CART_LINES } from "../cart-cookie.ts";
import type { OrderCookie } from "../order/order-cookie.ts";
import type { PageRoutes } from "../page.ts";
import type { Visits } from "../visit.tsx";

interface Parts extends Pick<ShopDeps, "store" | "box"> {
  readonly visits: Pick<Visits, "cart">;
  readonly orderCookie: OrderCookie;
}

export function addRestoreCartPage(pages: PageRoutes, { store, box, visits, orderCookie }: Parts): void {
  pages.addPublic({
    path: RESTORE_PATH,
    show: async ({ c }) => {
      const [id = "", token = ""] = [c.req.query("order"), c.req.query("token")];
      const order = isRestoreToken(box, id, token) ? await store.read((tx) => tx.get(orders, id)) : undefined;
      if (order === undefined) return c.redirect("/cart", 303);
      if (order.status !== "expired") {
        orderCookie.keep(c, order.number, toOrderToken(box, order));
        return c.redirect(`/orders/${order.number}`, 303);
      }
      const lines = order.lines
        .slice(0, MAX_CART_LINES)
        .map(({ productId, variantId, quantity }) => ({ productId, variantId, quantity }));
      visits.cart.write(c, lines);
      return c.redirect("/cart", 303);
    },
  });
}
