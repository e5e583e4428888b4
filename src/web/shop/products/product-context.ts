/** Context of a product's fields. */
import type { ProductView } from "../../../shop/products/answer-schema.ts";
import { type Goods, useGoods } from "../kinds/goods-kinds.tsx";
import { useSiteFacts } from "../ui/site-facts.ts";

export interface ProductContext extends Goods {
  readonly languages: readonly string[];
  /** As it is stored, with its pictures; undefined for a new one. */
  readonly product: ProductView | undefined;
}

/** The same for a page. */
export function useProduct(product?: ProductView): ProductContext | undefined {
  const facts = useSiteFacts();
  const goods = useGoods(product);
  return facts && goods && { ...goods, languages: facts.languages, product };
}
