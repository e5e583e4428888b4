/** @jsxImportSource hono/jsx */
/** The orders of who is signed in. */
import type { Page } from "../../../store/store.ts";
import { nameLine } from "../../orders/delivery.ts";
import type { Orders } from "../../orders/orders.ts";
import type { OrderRecord } from "../../orders/schema.ts";
import { getAddresses } from "../../edge/user-guard.ts";
import type { HolderKey, HolderKeys } from "../../licence-keys/holder-keys.ts";
import type { ShopUser } from "../../users/caller.ts";
import type { UserCheck } from "../../users/user-check.ts";
import { toOrderWords } from "./order-words.ts";
import type { PageRoutes } from "../page.ts";
import type { Visit } from "../visit.tsx";
import { Copyable } from "../pieces/copyable.tsx";
import { AccountBar } from "../account/account-bar.tsx";
import { readBuyer } from "../account/buyers.ts";
import { showSignInFirst } from "../account/sign-in-first.tsx";

const SHOWN = 20;

interface Parts {
  readonly orders: Pick<Orders, "listOwn">;
  readonly userCheck: UserCheck;
  readonly listHolderKeys: HolderKeys;
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

/** Keys that the former shop of the seller sold. */
function FormerKeys({ visit, keys }: { visit: Visit; keys: readonly HolderKey[] }) {
  const { t, time } = visit;
  if (keys.length === 0) return <></>;
  return (
    <section class="stack">
      <h2>{t("orders.formerKeys")}</h2>
      <ul class="lines">
        {keys.map(({ title, value, status, expiresAt }) => (
          <li>
            <span class="stack is-tight">
              <span>{title}</span>
              <Copyable text={value} t={t} label={title} />
              {status === "disabled" && <span class="small muted">{t("orders.keyDisabled")}</span>}
              {status !== "disabled" && expiresAt !== undefined && (
                <span class="small muted">
                  {t(status === "expired" ? "orders.keyExpired" : "orders.keyUntil", {
                    time: time(expiresAt),
                  })}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function OrderList({
  visit,
  user,
  page,
  keys,
}: {
  visit: Visit;
  user: ShopUser;
  page: Page<OrderRecord>;
  keys: readonly HolderKey[];
}) {
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
      <FormerKeys visit={visit} keys={keys} />
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

export function addMyOrdersPage(
  pages: PageRoutes,
  { orders, userCheck, listHolderKeys, hasAccounts }: Parts,
): void {
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
      // Without the auth center, orders are shown all the same.
      const addresses = await getAddresses(userCheck, c.req.raw).catch(() => []);
      const keys = user.impersonatedBy === undefined ? await listHolderKeys(addresses) : [];
      return visit.render({ title, body: <OrderList visit={visit} user={user} page={page} keys={keys} /> });
    },
  });
}
