/** The frame of every page of the storefront: styles, name, logo, and footer. */
import type { PageAssets } from "../../kit/http/web-assets.ts";
import type { Frame, NavigationItem } from "../../html/document.tsx";
import { findWordsIn } from "../catalogue/languages.ts";
import { isEuOn } from "../eu/schema.ts";
import { findEuWords } from "../eu/words.ts";
import { getPage } from "../legal/legal-pages.ts";
import { listPageLanguages } from "./page-meta.ts";
import type { Shown } from "./shown.ts";

type Framed = Pick<
  Shown,
  "t" | "site" | "language" | "sellersLanguage" | "brand" | "address" | "formToken" | "preview"
>;

/** Footer links: after an order, legal pages, and contact of the seller. */
function listFooter(
  { t, site, language, sellersLanguage }: Framed,
  { hasAccounts, sellsRenewals }: { readonly hasAccounts: boolean; readonly sellsRenewals: boolean },
): NavigationItem[] {
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
    // The same for subscriptions (§ 312k BGB).
    ...(isEuOn(site) && sellsRenewals
      ? [{ path: "/cancel-contract", label: t("subscription.contracts") }]
      : []),
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
  {
    assets,
    hasAccounts,
    sellsRenewals,
    pictures,
  }: {
    readonly assets: PageAssets;
    readonly hasAccounts: boolean;
    readonly sellsRenewals: boolean;
    readonly pictures: string;
  },
): Frame {
  const { t, language, site, formToken, brand, address, preview } = visit;
  const own = brand.styles === undefined ? [] : [brand.styles.path];
  const spoken = listPageLanguages(visit);
  const { style } = assets.storeStyles[site.storefront.look];
  return {
    language,
    siteName: site.name,
    styles: [`/assets/${style}`, ...own, ...(preview?.styles ?? [])],
    icon: `/assets/${assets.icon}`,
    script: preview === undefined ? `/assets/${assets.store}` : undefined,
    theme: preview?.theme ?? "auto",
    look: { "data-look": site.storefront.look, "data-pictures": pictures },
    logo: brand.logo?.path,
    path: address,
    token: formToken,
    words: { skip: t("frame.skip"), language: t("frame.language"), navigation: t("frame.navigation") },
    home: "/",
    languages: spoken.length === 0 ? undefined : spoken,
    about:
      findWordsIn(site.storefront.footer.translations, visit.sellersLanguage) || site.storefront.footer.text,
    footer: listFooter(visit, { hasAccounts, sellsRenewals }),
  };
}

/** Elements that fetch the fonts of the shop's look with its style sheet. */
export function toFontTags({ storefront }: Pick<Shown["site"], "storefront">, assets: PageAssets): string {
  return assets.storeStyles[storefront.look].fonts
    .map((font) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${font}"/>`)
    .join("");
}
