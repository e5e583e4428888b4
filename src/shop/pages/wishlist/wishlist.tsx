/** @jsxImportSource hono/jsx */
/** The products that a signed-in user saved. */
import { AppError } from "../../../kit/errors.ts";
import { Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { findReturnPath, withReturn } from "../../../html/return-path.ts";
import { getAddresses } from "../../edge/user-guard.ts";
import { wordsIn } from "../../catalogue/languages.ts";
import type { Page } from "../../../store/store.ts";
import type { ShopUser } from "../../users/caller.ts";
import type { UserCheck } from "../../users/user-check.ts";
import { type WishEntry, type WishInput, type Wishlist, needsAddresses } from "../../wishlist/wishlist.ts";
import { readBuyer } from "../account/buyers.ts";
import { AccountBar } from "../account/account-bar.tsx";
import { showSignInFirst } from "../account/sign-in-first.tsx";
import type { PageRoutes } from "../page.ts";
import type { Visit } from "../visit.tsx";
import { toProductPath } from "../../products/slug.ts";

const SHOWN = 50;
const PATH = "/wishlist";

interface Parts {
  readonly wishlist: Wishlist;
  readonly userCheck: UserCheck;
  readonly hasAccounts: boolean;
}

function Notice({
  name,
  label,
  isOn,
}: {
  readonly name: string;
  readonly label: string;
  readonly isOn: boolean;
}) {
  return (
    <label class="check">
      <input type="checkbox" name={name} checked={isOn} />
      <span>{label}</span>
    </label>
  );
}

function Entry({ entry, visit }: { readonly entry: WishEntry; readonly visit: Visit }) {
  const { t, money, formToken, sellersLanguage } = visit;
  const { wish, product, offer } = entry;
  const isCheaper = offer !== undefined && offer.currency === wish.currency && offer.price < wish.priceAtAdd;
  return (
    <li>
      <div class="stack is-tight">
        {product === undefined ? (
          <span>{t("wishlist.unavailable")}</span>
        ) : (
          <a href={toProductPath(product.slug)}>{wordsIn(product, sellersLanguage).title}</a>
        )}
        {offer === undefined ? (
          <></>
        ) : (
          <span class="num">
            {money(offer.price, offer.currency)}{" "}
            <span class="small muted">
              {isCheaper ? t("wishlist.was", { price: money(wish.priceAtAdd, wish.currency) }) : ""}{" "}
              {t(offer.isAvailable ? "product.inStock" : "product.out")}
            </span>
          </span>
        )}
        <Form action={`${PATH}/change`} token={formToken} class="row">
          <input type="hidden" name="productId" value={wish.productId} />
          <Notice name="notifyRestock" label={t("wishlist.restock")} isOn={wish.notifyRestock} />
          <Notice name="notifyPriceDrop" label={t("wishlist.priceDrop")} isOn={wish.notifyPriceDrop} />
          <button class="button" type="submit">
            {t("wishlist.save")}
          </button>
        </Form>
      </div>
      <Form action={`${PATH}/remove`} token={formToken} class="push">
        <input type="hidden" name="productId" value={wish.productId} />
        <button class="button quiet" type="submit">
          {t("wishlist.remove")}
        </button>
      </Form>
    </li>
  );
}

interface ListProps {
  readonly visit: Visit;
  readonly state: FormState;
  readonly user: ShopUser;
  readonly page: Page<WishEntry>;
}

function WishList({ visit, state, user, page: { items, nextCursor } }: ListProps) {
  const { t, c } = visit;
  const done = c.req.method === "GET" ? t.find(`wishlist.done.${c.req.query("done") ?? ""}`) : undefined;
  return (
    <>
      <AccountBar visit={visit} user={user} />
      <h1>{t("wishlist.title")}</h1>
      {done === undefined ? (
        <></>
      ) : (
        <p class="note is-good" role="status">
          {done}
        </p>
      )}
      <FormFaults title={t("form.faults")} faults={state.faults} />
      {items.length === 0 ? (
        <p>
          {t("wishlist.none")} <a href="/">{t("checkout.toShop")}</a>
        </p>
      ) : (
        <ul class="lines">
          {items.map((entry) => (
            <Entry entry={entry} visit={visit} />
          ))}
        </ul>
      )}
      {nextCursor === undefined ? (
        <></>
      ) : (
        <p>
          <a class="button" href={`${PATH}?cursor=${encodeURIComponent(nextCursor)}`}>
            {t("orders.older")}
          </a>
        </p>
      )}
    </>
  );
}

export function addWishlistPage(pages: PageRoutes, { wishlist, userCheck, hasAccounts }: Parts): void {
  /**
   * The owner of the list; or the page that leads to the sign-in and back to `path`: a form may lead to no other
   * origin.
   */
  async function enter(visit: Visit, path: string): Promise<ShopUser | Response> {
    const { user } = await readBuyer(userCheck, visit);
    return user ?? visit.c.redirect(withReturn(PATH, path), 303);
  }
  async function withAddresses(visit: Visit, input: WishInput): Promise<WishInput> {
    if (!needsAddresses(input)) return input;
    return { ...input, addresses: await getAddresses(userCheck, visit.c.req.raw) };
  }
  const fields = { email: "notifyRestock" };
  pages.addPublic({
    path: PATH,
    show: async (visit, state) => {
      const { t, c } = visit;
      const title = t("wishlist.title");
      const buyer = await readBuyer(userCheck, visit);
      const { user } = buyer;
      if (user === undefined) {
        const path = findReturnPath(c.req.query("rd")) ?? PATH;
        return showSignInFirst({ visit, buyer, title, text: t("wishlist.signIn"), hasAccounts, path });
      }
      const page = await wishlist.list(user, { limit: SHOWN, cursor: c.req.query("cursor") });
      const body = <WishList visit={visit} state={state} user={user} page={page} />;
      return visit.render({ title, status: state.status, body });
    },
    actions: {
      "/add": {
        isOnce: true,
        submit: async (visit, { values }) => {
          const { productId = "", variantId } = values;
          const back = findReturnPath(values["rd"]) ?? PATH;
          const user = await enter(visit, back);
          if (user instanceof Response) return user;
          const language = visit.sellersLanguage;
          await wishlist.add(user, productId, { language, ...(variantId ? { variantId } : {}) });
          return visit.c.redirect(`${PATH}?done=added`, 303);
        },
      },
      "/change": {
        fields,
        submit: async (visit, { values }) => {
          const user = await enter(visit, PATH);
          if (user instanceof Response) return user;
          const input = {
            notifyRestock: values["notifyRestock"] !== undefined,
            notifyPriceDrop: values["notifyPriceDrop"] !== undefined,
          };
          await wishlist.change(user, values["productId"] ?? "", await withAddresses(visit, input));
          return visit.c.redirect(`${PATH}?done=changed`, 303);
        },
      },
      "/remove": {
        submit: async (visit, { values }) => {
          const user = await enter(visit, PATH);
          if (user instanceof Response) return user;
          // Sent twice, it is gone all the same.
          await wishlist.remove(user, values["productId"] ?? "").catch((error: unknown) => {
            if (!(error instanceof AppError) || error.code !== "not_found") throw error;
          });
          return visit.c.redirect(`${PATH}?done=removed`, 303);
        },
      },
    },
  });
}
