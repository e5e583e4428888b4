/** The frame of every page of the storefront: styles, name, logo, and footer. */
import type { PageAssets } from "../../kit/http/web-assets.ts";
import type { Frame, NavigationItem } from "../../html/document.tsx";
import { isEuOn } from "../eu/schema.ts";
import { findEuWords } from "../eu/words.ts";
import { getPage } from "../legal/legal-pages.ts";
import type { Shown } from "./shown.ts";

type Framed = Pick<Shown, "t" | "site" | "language" | "sellersLanguage" | "brand" | "address" | "formToken">;

/** Footer links: after an order, legal pages, and contact of the seller. */
function listFooter({ t, site, language, sellersLanguage }: Framed, hasAccounts: boolean): NavigationItem[] {
  const { email, phone, url } = site.contact;
  const legal = site.pages.map(({ slug }) => ({
    path: `/legal/${slug}`,
    label: getPage(site, slug, sellersLanguage).title,
  }));
  const chat = {
    "data-chat": "link",
    "data-close": t("chat.close"),
    "data-unread": t("chat.unread"),
  } as const;
  return [
    // The chat needs accounts, and leads those without one to the contact page.
    hasAccounts
      ? { path: "/chat", label: t("chat.title"), data: chat }
      : { path: "/contact", label: t("chat.title") },
    { path: "/find-order", label: t("find.title") },
    // Easy to find on every page, as the law wants it (Article 11a of Directive 2011/83/EU).
    ...(isEuOn(site) ? [{ path: "/withdraw", label: findEuWords(language).withdraw }] : []),
    ...(hasAccounts ? [{ path: "/wishlist", label: t("wishlist.title") }] : []),
    ...legal,
    ...(email === "" ? [] : [{ path: `mailto:${email}`, label: email }]),
    ...(phone === "" ? [] : [{ path: `tel:${phone.replaceAll(/[^\d+]/gu, "")}`, label: phone }]),
    ...(url === "" ? [] : [{ path: url, label: t("frame.contact") }]),
  ];
}

/** The frame of a visit's pages. */
export function toFrame(
  visit: Framed,
  { assets, hasAccounts }: { readonly assets: PageAssets; readonly hasAccounts: boolean },
): Frame {
  const { t, language, site, formToken, brand, address } = visit;
  const own = brand.styles === undefined ? [] : [brand.styles.path];
  return {
    language,
    siteName: site.name,
    styles: [`/assets/${assets.storeStyle}`, ...own],
    icon: `/assets/${assets.icon}`,
    script: `/assets/${assets.chat}`,
    logo: brand.logo?.path,
    path: address,
    token: formToken,
    words: { skip: t("frame.skip"), language: t("frame.language"), navigation: t("frame.navigation") },
    home: "/",
    footer: listFooter(visit, hasAccounts),
  };
}
