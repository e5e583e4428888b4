/** The part of a visit that a page's frame shows. */
import type { Context } from "hono";
import type { AppEnv } from "../../kit/http/app.ts";
import type { Language } from "../../kit/text/languages.ts";
import type { Brand } from "../../html/brand.ts";
import type { FormVisitor } from "../../html/form-tokens.ts";
import type { SiteSettings } from "../site/schema.ts";
import type { Texts } from "./texts.ts";

/** See the module's header. */
export interface Shown extends FormVisitor {
  readonly c: Context<AppEnv>;
  readonly t: Texts;
  /** Of the page's own words. */
  readonly language: Language;
  /** Of products and other words of the seller: one of the shop's languages. */
  readonly sellersLanguage: string;
  readonly site: SiteSettings;
  readonly brand: Brand;
  /** The number of units in the cart, as HTML; "" for none. */
  readonly cartBadge: string;
  /** The page's own path with its query: where the choice of a language comes back to. */
  readonly address: string;
  readonly nowMs: number;
  /** Of a preview; others follow the system. */
  readonly preview?: { readonly theme: "auto" | "light" | "dark"; readonly styles: readonly string[] };
  /** The public URL of the shop, without a trailing slash; "" if unknown. */
  readonly publicUrl: string;
}
