/** What of the site's settings other sections need: its currency, and the languages that buyers may choose. */
import { usePolled } from "../../ui/console/polled.ts";

/** A part of GET /api/admin/site. */
export interface SiteFacts {
  readonly currency: string;
  /** The first one is that of the products' own words. */
  readonly languages: readonly string[];
  readonly lowStockThreshold: number;
}

let last: SiteFacts | undefined;

/** The facts as they were last seen, at once where another section has asked before; undefined until they are there. */
export function useSiteFacts(): SiteFacts | undefined {
  const { data } = usePolled<SiteFacts>("/api/admin/site", 0);
  last = data ?? last;
  return last;
}
