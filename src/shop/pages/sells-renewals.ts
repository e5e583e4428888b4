/** Whether the shop sells licenses that renew: every page then leads to the cancellation of contracts. */
import type { Catalogue } from "../catalogue/catalogue.ts";

/** Products that are looked at: the newest. Shops that sell licenses have far fewer. */
const LOOKED_AT = 500;

/** Creates what finds it, once for each state of the catalogue. */
export function createFindRenewals(catalogue: Pick<Catalogue, "list" | "revision">): () => boolean {
  let known: { readonly revision: number; readonly sells: boolean } | undefined;
  return () => {
    const revision = catalogue.revision();
    if (known?.revision !== revision) {
      const { items } = catalogue.list({}, { sort: "newest", limit: LOOKED_AT });
      known = { revision, sells: items.some(({ product }) => product.license?.renewal !== undefined) };
    }
    return known.sells;
  };
}
