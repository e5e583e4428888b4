/** Context of the forms of categories and collections. */
import { type Goods, useGoods } from "../kinds/goods-kinds.tsx";
import { useSiteFacts } from "../ui/site-facts.ts";

export interface Shown extends Goods {
  readonly languages: readonly string[];
  /** Of the category or collection that is edited. */
  readonly id: string | undefined;
}

export function useShown(view?: { readonly id: string }): Shown | undefined {
  const facts = useSiteFacts();
  const goods = useGoods();
  return facts && goods && { ...goods, languages: facts.languages, id: view?.id };
}
