/** Site settings that other sections need, such as the currency and the languages. */
import type { AdminSite } from "../../../shop/settings/answer-schema.ts";
import { usePolled } from "../../ui/console/polled.ts";

/** A part of GET /api/admin/site. The first language is that of the products' own words. */
export type SiteFacts = Pick<
  AdminSite,
  "currency" | "languages" | "lowStockThreshold" | "orderExpiryMinutes" | "paymentProviders"
>;

let last: SiteFacts | undefined;

/** The facts as they were last seen, at once where another section has asked before; undefined until they are there. */
export function useSiteFacts(): SiteFacts | undefined {
  const { data } = usePolled<AdminSite>("/api/admin/site", 0);
  last = data ?? last;
  return last;
}
