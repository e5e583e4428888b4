/** @jsxImportSource hono/jsx */
/** The header of the storefront: the shop's name, its categories, and what a buyer looks for. */
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { BrandLink, type Frame } from "../../html/document.tsx";
import type { CategoryTree } from "../catalogue/category-tree.ts";
import { shownWordsIn } from "../catalogue/languages.ts";
import { Icon, type IconName } from "./pieces/icons.tsx";
import type { Shown } from "./shown.ts";

/** Categories in the header; the others are on a separate page. */
const MAX_SHOWN = 10;

interface StoreHeaderProps {
  readonly frame: Frame;
  readonly visit: Pick<Shown, "t" | "sellersLanguage" | "cartBadge" | "site">;
  readonly tree: CategoryTree;
  /** The path of the navigation's present place. */
  readonly place: string | undefined;
  /** Whether people can sign in here; guests have their order mailed to them. */
  readonly hasAccounts: boolean;
}

function listPlaces({ visit: { t, sellersLanguage, site }, tree }: StoreHeaderProps) {
  const top = tree.visible.filter(({ parentId }) => parentId === undefined);
  return [
    // A first page of sections may show other things than products.
    { path: site.storefront.sections.length === 0 ? "/" : "/products", label: t("frame.allProducts") },
    ...top.slice(0, MAX_SHOWN).map((category) => ({
      path: `/c/${category.id}`,
      label: shownWordsIn(category, sellersLanguage).title,
    })),
    ...(top.length > MAX_SHOWN ? [{ path: "/c", label: t("frame.moreCategories") }] : []),
  ];
}

/** A link with an icon; its words are for wide screens and screen readers. */
function Own({
  path,
  icon,
  label,
  place,
  isPhone = false,
  children = "",
}: {
  readonly path: string;
  readonly icon: IconName;
  readonly label: string;
  readonly place: string | undefined;
  /** Only where the header has no room for a field. */
  readonly isPhone?: boolean;
  readonly children?: Child;
}) {
  return (
    <a
      class={isPhone ? "is-phone" : undefined}
      href={path}
      aria-current={path === place ? "page" : undefined}
    >
      <Icon name={icon} />
      <span class="own-name">{label}</span>
      {children}
    </a>
  );
}

export function StoreHeader(props: StoreHeaderProps) {
  const { frame, visit, place, hasAccounts } = props;
  const { t, cartBadge } = visit;
  const current = (path: string): "page" | undefined => (path === place ? "page" : undefined);
  return (
    <header class="bar is-store">
      <BrandLink frame={frame} />
      <form class="store-search" role="search" action="/search" method="get">
        <input
          type="search"
          name="q"
          maxlength={200}
          aria-label={t("frame.searchLabel")}
          placeholder={t("frame.searchLabel")}
        />
        <button type="submit">{t("frame.search")}</button>
      </form>
      <nav class="store-own" aria-label={t("frame.yours")}>
        <Own path="/search" icon="search" label={t("frame.search")} place={place} isPhone />
        <Own
          path={hasAccounts ? "/orders" : "/find-order"}
          icon="account"
          label={t("frame.account")}
          place={place}
        />
        <Own path="/cart" icon="cart" label={t("frame.cart")} place={place}>
          {raw(cartBadge)}
        </Own>
      </nav>
      <nav class="store-places" aria-label={t("frame.categories")}>
        <ul class="tabs">
          {listPlaces(props).map(({ path, label }) => (
            <li>
              <a href={path} aria-current={current(path)}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}
