/** The look of the pages for those who come from the shop: the center's own settings first, then the shop's brand. */
import { createHostCookie } from "../../kit/http/cookies.ts";
import type { Context } from "hono";
import type { AppEnv } from "../../kit/http/app.ts";
import { type Brand, createBrands } from "../../html/brand.ts";
import { findReturnPath } from "../../html/return-path.ts";
import type { Store } from "../../store/store.ts";
import { registrationSettingsSchema } from "../settings/schema.ts";
import { shopBrands } from "../shop-brand/records.ts";
import type { ShopBrandRecord } from "../shop-brand/schema.ts";
import type { Site } from "./site.ts";

/** Where files of the shop's brand are, beside those of the center's own. */
export const SHOP_FILES = "/brand/shop";
const SHOP = "shop";
/** A visit to the account after the purchase is in the shop's look too. */
const COOKIE_SECONDS = 86_400;
const DEFAULT_NAME = registrationSettingsSchema.parse({}).siteName;

/** The application that a sign-in leads to; undefined when the request names none. */
function findApplication(c: Context<AppEnv>): string | undefined {
  if (!c.req.raw.url.includes("rd=")) return undefined;
  const [path = "", query = ""] = (findReturnPath(c.req.query("rd")) ?? "").split("?");
  return path === "/oauth/authorize" ? (new URLSearchParams(query).get("client_id") ?? "") : undefined;
}

/** Creates what remembers, for a browser's session, that a visitor came from the shop. */
export function createShopVisitors(publicUrl: string | undefined) {
  const cookie = createHostCookie("trivet_from", publicUrl);
  return {
    /** Whether the visitor came from the shop; another application takes its place. */
    isFromShop: (c: Context<AppEnv>): boolean => {
      const application = findApplication(c);
      const was = cookie.read(c) === SHOP;
      if (application === undefined) return was;
      const isNow = application === SHOP;
      if (isNow && !was) cookie.write(c, SHOP, COOKIE_SECONDS);
      if (!isNow && was) cookie.clear(c);
      return isNow;
    },
    wasFromShop: (c: Context<AppEnv>): boolean => cookie.read(c) === SHOP,
  };
}

function moveFile<T extends { readonly path: string }>(file: T | undefined): T | undefined {
  return file && { ...file, path: SHOP_FILES + file.path };
}

/** Creates what merges the shop's brand into the site; files of it have addresses below {@link SHOP_FILES}. */
export function createShopLook(store: Pick<Store, "read">) {
  const toBrand = createBrands();
  let made = { name: "", version: 0 };

  async function readBrand(site: Site, record: ShopBrandRecord): Promise<Brand> {
    const { accent, logo, customCss } = site.branding;
    const name = `${site.version} ${record.version}`;
    if (name !== made.name) made = { name, version: made.version + 1 };
    const isOwnAccent = accent.light !== "" || accent.dark !== "";
    const fields = { accent: isOwnAccent ? accent : record.accent, logo: logo || record.logo, customCss };
    return toBrand({ fields, version: made.version });
  }

  const find = async (): Promise<ShopBrandRecord | undefined> => store.read((tx) => tx.get(shopBrands, SHOP));

  return {
    /** The site as those who come from the shop see it. */
    apply: async (site: Site): Promise<Site> => {
      const record = site.branding.shopBrand ? await find() : undefined;
      if (record === undefined) return site;
      const brand = await readBrand(site, record);
      const isOwnName = site.settings.siteName !== DEFAULT_NAME;
      return {
        ...site,
        settings: isOwnName ? site.settings : { ...site.settings, siteName: record.name },
        brand: { styles: moveFile(brand.styles), accent: brand.accent, logo: moveFile(brand.logo) },
      };
    },
    /** The brand with its files as they are below {@link SHOP_FILES}. */
    readFiles: async (site: Site): Promise<Brand> => {
      const record = site.branding.shopBrand ? await find() : undefined;
      return record === undefined ? site.brand : readBrand(site, record);
    },
  };
}
