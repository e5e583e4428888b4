/** The owner's brand as the shop's pages show it, and its files. */
import { toAccent, toAccentStyles } from "../../kit/brand/accent.ts";
import { AppError } from "../../kit/errors.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { addBrandFiles } from "../../html/brand-files.ts";
import { type Brand, type BrandSettings, createBrands } from "../../html/brand.ts";
import type { Store } from "../../store/store.ts";
import type { SiteSettings } from "./schema.ts";
import { readSettings } from "./settings.ts";

const COLOR_PATH = "/brand/color/";

/** The style sheet of a color (#rrggbb), whether it is stored or not. */
export function toColorSheet(color: string): string {
  return `${COLOR_PATH}${color.slice(1).toLowerCase()}.css`;
}

/** One color stands for those of both themes. */
function toBrandSettings({ branding }: SiteSettings): BrandSettings {
  const { color, accent } = branding;
  return { ...branding, accent: color === "" ? accent : toAccent(color) };
}

/** Creates a getter of the brand from settings; computes it once per settings object. */
export function createBrandOf(): (site: SiteSettings) => Promise<Brand> {
  const toBrand = createBrands();
  let seen: SiteSettings | undefined;
  let version = 0;
  return (site) => {
    if (site !== seen) version += 1;
    seen = site;
    return toBrand({ fields: toBrandSettings(site), version });
  };
}

/** Creates the reader of the brand; while the store is unavailable, it returns the last one. */
export function createBrandReader(store: Pick<Store, "read">): () => Promise<Brand> {
  const toBrand = createBrands();
  let last: Brand | undefined;
  return async () => {
    try {
      const { fields, version } = await store.read((tx) => readSettings(tx, "site"));
      last = await toBrand({ fields: toBrandSettings(fields), version });
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
  // Previews show a color that is not stored yet.
  app.get(`${COLOR_PATH}:name`, (c) => {
    const [, color] = /^([\da-f]{6})\.css$/u.exec(c.req.param("name") ?? "") ?? [];
    if (color === undefined) throw new AppError("not_found", "This color does not exist");
    return c.body(toAccentStyles(toAccent(`#${color}`)), 200, {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
    });
  });
}
