/** @jsxImportSource hono/jsx */
/** Above pages of who is signed in. */
import type { ShopUser } from "../../users/caller.ts";
import type { Visit } from "../visit.tsx";

/** The signed-in user, and links. */
export function AccountBar({ visit, user }: { readonly visit: Visit; readonly user: ShopUser }) {
  const { t, formToken } = visit;
  return (
    <div class="row">
      <span class="muted">{t("account.signedIn", { name: user.displayName })}</span>
      <a href="/orders">{t("orders.title")}</a>
      <a href="/wishlist">{t("wishlist.title")}</a>
      <form method="post" action="/sign-out" class="push">
        <input type="hidden" name="form" value={formToken} />
        <button class="button quiet" type="submit">
          {t("account.signOut")}
        </button>
      </form>
    </div>
  );
}
