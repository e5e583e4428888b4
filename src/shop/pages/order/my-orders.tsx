/** @jsxImportSource hono/jsx */
/** The orders of who is signed in. */
import type { Page } from "../../../store/store.ts";
import { nameLine } from "../../orders/delivery.ts";
import type { Orders } from "../../orders/orders.ts";
import type { OrderRecord } from "../../orders/schema.ts";
import type { ShopUser } from "../../users/caller.ts";
import type { UserCheck } from "../../users/user-check.ts";
import { toOrderWords } from "./order-words.ts";
import type { PageRoutes } from "../page.ts";
import type { Visit } from "../visit.tsx";
import { AccountBar } from "../account/account-bar.tsx";
import { readBuyer } from "../account/buyers.ts";
import { showSignInFirst } from "../account/sign-in-first.tsx";

const SHOWN = 20;

interface Parts {
  readonly orders: Pick<Orders, "listOwn">;
  readonly userCheck: UserCheck;
  readonly hasAccounts: boolean;
}

function Row({ order, visit }: { readonly order: OrderRecord; readonly visit: Visit }) {
  const { money, time } = visit;
  const { tag, tone } = toOrderWords(order, visit);
  return (
    <li>
      <span class="stack is-tight">
        <a href={`/orders/${order.number}`}>{order.lines.map(nameLine).join(", ")}</a>
        <span class="small muted num">
          {order.number} · {time(order.createdAt)}
        </span>
      </span>
      <span class={tone === "plain" ? "tag" : `tag is-${tone}`}>{tag}</span>
      <span class="num price">{money(order.total, order.currency)}</span>
    </li>
  );
}

function OrderList({ visit, user, page }: { visit: Visit; user: ShopUser; page: Page<OrderRecord> }) {
  const { t } = visit;
  const { items, nextCursor } = page;
  return (
    <>
      <AccountBar visit={visit} user={user} />
      <h1>{t("orders.title")}</h1>
      {items.length === 0 ? (
        <div class="stack">
          <p>{t("orders.none")}</p>
          <p>
            <a href="/">{t("checkout.toShop")}</a> <a href="/find-order">{t("order.find")}</a>
          </p>
        </div>
      ) : (
        <ul class="lines">
          {items.map((order) => (
            <Row order={order} visit={visit} />
          ))}
        </ul>
      )}
      {nextCursor === undefined ? (
        <></>
      ) : (
        <p>
          <a class="button" href={`/orders?cursor=${encodeURIComponent(nextCursor)}`}>
            {t("orders.older")}
          </a>
        </p>
      )}
    </>
  );
}

export function addMyOrdersPage(pages: PageRoutes, { orders, userCheck, hasAccounts }: Parts): void {
  pages.addPublic({
    path: "/orders",
    show: async (visit) => {
      const { t, c } = visit;
      const title = t("orders.title");
      const buyer = await readBuyer(userCheck, visit);
      const { user } = buyer;
      if (user === undefined)
        return showSignInFirst({
          visit,
          buyer,
          title,
          text: t("orders.signIn"),
          hasAccounts,
          path: "/orders",
        });
      const page = await orders.listOwn(user.id, { limit: SHOWN, cursor: c.req.query("cursor") });
      return visit.render({ title, body: <OrderList visit={visit} user={user} page={page} /> });
    },
  });
}
