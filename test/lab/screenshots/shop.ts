/** Pictures of the pages of a shop and its console, filled by the demonstration, at two widths and in both themes. */
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { keepPicture } from "./keep.ts";
import { createPrograms } from "../../support/program.ts";
import { createApi } from "../demo/shop/api.ts";
import type { Look } from "../../../src/shop/site/storefront-schema.ts";
import { dressShop } from "../demo/shop/dress.ts";
import { fillShop } from "../demo/shop/fill.ts";

const ADMIN_TOKEN = "adm_for-the-pictures-of-the-shop";
const widths = [390, 1_440] as const;
const HEIGHT = 900;
/** What the console draws when its answers have come. */
const SETTLE_MS = 600;

interface Stop {
  readonly name: string;
  readonly path: string;
  /** The link on that page which leads to the one that is wanted. */
  readonly link?: string;
  /** Of the storefront; plain by default. */
  readonly look?: Look;
}

const pages: readonly Stop[] = [
  { name: "shop-home", path: "/" },
  { name: "shop-product", path: "/", link: 'a[href$="t-shirt"]' },
  { name: "shop-home-editorial", path: "/", look: "editorial" },
  { name: "shop-product-editorial", path: "/", link: 'a[href$="t-shirt"]', look: "editorial" },
  { name: "shop-home-market", path: "/", look: "market" },
  { name: "shop-product-market", path: "/", link: 'a[href$="t-shirt"]', look: "market" },
  { name: "shop-cart", path: "/cart" },
  { name: "shop-checkout", path: "/checkout" },
  { name: "shop-find-order", path: "/find-order" },
];

const sections =
  "today orders payments withdrawals customers chat products categories stock coupons invoices statistics " +
  "providers shipping site mail mails webhooks system audit";
const consoleStops: readonly Stop[] = [
  ...sections.split(" ").map((name) => ({ name: `shop-console-${name}`, path: `/admin/${name}` })),
  { name: "shop-console-order", path: "/admin/orders", link: 'main a[href^="/admin/orders/ord"]' },
  { name: "shop-console-home", path: "/admin/site?tab=home" },
  { name: "shop-console-product", path: "/admin/products", link: 'main a[href^="/admin/products/prd"]' },
];

/** Pictures for docs/pictures, as they are called there. */
const kept: Readonly<Record<string, string>> = {
  "shop-home-1440-light": "shop",
  "shop-home-editorial-1440-light": "storefront-editorial",
  "shop-home-market-1440-light": "storefront-market",
  "shop-product-390-light": "storefront-phone",
  "shop-console-home-1440-light": "storefront-console",
  "shop-console-order-1440-light": "order",
  "shop-console-today-1440-light": "shop-today",
  "shop-console-product-1440-light": "product",
};

export interface ShopPictures {
  /** Where all go, as `<page>-<width>-<theme>-<language>.png`. */
  readonly every: string;
  /** Where those go that the documentation shows. */
  readonly kept: string;
  readonly languages: readonly string[];
  /** Part of the names of the pages that are wanted. */
  readonly only: string;
  /** Only what the documentation shows. */
  readonly docs: boolean;
}

async function takeStop(
  page: Page,
  { name, path, link }: Stop,
  { every, kept: folder, language }: ShopPictures & { readonly language: string },
): Promise<void> {
  await page.goto(path);
  if (link !== undefined) {
    const href = await page.locator(link).first().getAttribute("href");
    await page.goto(href ?? path);
  }
  for (const width of widths)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.waitForLoadState("networkidle");
      if (path.startsWith("/admin")) await page.waitForTimeout(SETTLE_MS);
      const view = `${name}-${width}-${colorScheme}`;
      const shown = language === "en" ? kept[view] : undefined;
      await page.screenshot({ path: join(every, `${view}-${language}.png`), fullPage: shown === undefined });
      if (shown !== undefined)
        await keepPicture(join(every, `${view}-${language}.png`), {
          folder,
          name: shown,
          isPhone: width === widths[0],
        });
    }
  console.log(`${name} ${language}`);
}

/** Takes them. */
export async function takeShopPictures(browser: Browser, options: ShopPictures): Promise<void> {
  const isKept = (name: string): boolean => Object.keys(kept).some((view) => view.startsWith(`${name}-`));
  const wanted = [...pages, ...consoleStops].filter(
    ({ name }) => name.includes(options.only) && (!options.docs || isKept(name)),
  );
  if (wanted.length === 0) return;
  const programs = await createPrograms(["shop"]);
  try {
    const url = await programs.shopUrl(programs.run({ LOG_LEVEL: "error", ADMIN_TOKEN }));
    const send = (path: string, init: RequestInit): Promise<Response> => fetch(new URL(path, url), init);
    const api = createApi({ send, adminToken: ADMIN_TOKEN });
    await fillShop(api, { say: () => undefined });
    await dressShop(api);
    for (const language of options.languages) {
      const context = await browser.newContext({
        baseURL: url,
        locale: language === "en" ? "en-US" : language,
        deviceScaleFactor: 2,
      });
      const page = await context.newPage();
      await page.goto("/");
      await page.locator(".product").first().click();
      await page.locator("form[action='/cart'] button[type=submit]").first().click();
      await context.request.post("/api/console/session", {
        data: { token: ADMIN_TOKEN },
        headers: { "sec-fetch-site": "same-origin" },
      });
      for (const stop of wanted) {
        await api.admin("PATCH", "/api/admin/site", { json: { storefront: { look: stop.look ?? "plain" } } });
        await takeStop(page, stop, { ...options, language });
      }
      await context.close();
    }
  } finally {
    await programs.dispose();
  }
}
