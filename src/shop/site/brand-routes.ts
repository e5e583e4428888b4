/** The owner's brand as the shop's pages show it, and its files. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { addBrandFiles } from "../../html/brand-files.ts";
import { type Brand, createBrands } from "../../html/brand.ts";
import type { Store } from "../../store/store.ts";
import type { SiteSettings } from "./schema.ts";
import { readSettings } from "./settings.ts";

/** Creates a getter of the brand from settings; computes it once per settings object. */
export function createBrandOf(): (site: SiteSettings) => Promise<Brand> {
  const toBrand = createBrands();
  let seen: SiteSettings | undefined;
  let version = 0;
  return (site) => {
    if (site !== seen) version += 1;
    seen = site;
    return toBrand({ fields: site.branding, version });
  };
}

/** Creates the reader of the brand; while the store is unavailable, it returns the last one. */
export function createBrandReader(store: Pick<Store, "read">): () => Promise<Brand> {
  const toBrand = createBrands();
  let last: Brand | undefined;
  return async () => {
    try {
      const { fields, version } = await store.read((tx) => readSettings(tx, "site"));
      last = await toBrand({ fields: fields.branding, version });
      return last;
    } catch (error) {
      if (last === undefined) throw error;
      return last;
    }
  };
}

/** Adds the files below /brand. */
export function addBrandRoutes(app: ServiceApp, { store }: { readonly store: Pick<Store, "read"> }): void {
  addBrandFiles(app, { readBrand: createBrandReader(store) });
}
