/** Draft orders as the console asks for them. */
import type { DraftPricesView, DraftView } from "../../../shop/draft-orders/answer-schema.ts";
import { type Preview, usePreview } from "../../ui/forms/use-preview.ts";
import { useLoaded } from "../../ui/console/polled.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { type ProductView, toProductPath } from "../products/product-data.ts";

export type { DraftPricesView, DraftView };

export const DRAFTS = "/api/admin/draft-orders";

export function draftPath(id: string, end = ""): string {
  return `${DRAFTS}/${encodeURIComponent(id)}${end}`;
}

/** What fields of a draft must know. */
export interface DraftContext {
  readonly currency: string;
  readonly languages: readonly string[];
  /** Titles of stored items, by their IDs. */
  readonly titles: Readonly<Record<string, string>>;
}

/** A product with what was chosen of it: "Mug (red)". */
export function nameItem(title: string, options: Readonly<Record<string, string>>): string {
  const chosen = Object.values(options).join(", ");
  return chosen === "" ? title : `${title} (${chosen})`;
}

/** Titles of the products of a draft that has no prices, by the IDs of its items; undefined while they are loaded. */
export function useProductTitles(view?: DraftView): Readonly<Record<string, string>> | undefined {
  const items = view === undefined || view.quoted !== undefined ? [] : view.items;
  const { data, error } = useLoaded(JSON.stringify(items), {
    everyMs: 0,
    load: async () => {
      const titles: Record<string, string> = {};
      const name = async (item: (typeof items)[number]): Promise<void> => {
        if (!("productId" in item) || item.id === undefined) return;
        const product = await adminRequest<ProductView>(toProductPath(item.productId));
        const variant = product.variants.find(({ id }) => id === item.variantId);
        titles[item.id] = nameItem(product.title, variant?.options ?? {});
      };
      await Promise.all(items.map(name));
      return titles;
    },
  });
  // A product that is gone has no title: the draft is shown without it.
  return data ?? (error === undefined ? undefined : {});
}

const kept = new Map<string, Promise<DraftPricesView>>();

/** One request for all that show the prices of the same draft. */
function ask(asked: string): Promise<DraftPricesView> {
  const known = kept.get(asked);
  if (known !== undefined) return known;
  const answer = adminRequest<DraftPricesView>(`${DRAFTS}/preview`, {
    method: "POST",
    body: JSON.parse(asked),
  });
  kept.clear();
  kept.set(asked, answer);
  return answer;
}

/** What a draft costs as it is typed, or why it has no price. */
export function usePrices(body: object | undefined): Preview<DraftPricesView> {
  return usePreview(body === undefined ? undefined : JSON.stringify(body), ask);
}
