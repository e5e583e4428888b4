/** @jsxImportSource hono/jsx */
/** The header of the storefront: the shop's name, its categories, and what a buyer looks for. */
import type { CategoryTree } from "../catalogue/category-tree.ts";
import { BrandLink, type Frame } from "../../pages/document.tsx";
import type { CartLine } from "./cart/cart-cookie.ts";
import type { Texts } from "./texts.ts";

interface StoreHeaderProps {
  readonly frame: Frame;
  readonly visit: {
    readonly t: Texts;
    readonly sellersLanguage: string;
    readonly cart: readonly CartLine[];
  };
  readonly tree: CategoryTree;
  /** The path of the navigation's present place. */
  readonly place: string | undefined;
}

/** The header. */
export function StoreHeader({ frame }: StoreHeaderProps) {
  return (
    <header class="bar is-store">
      <BrandLink frame={frame} />
    </header>
  );
}
