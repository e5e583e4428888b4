/** Audit log of the shop's administrators. */
import type { JSX } from "preact";
import { toAuditList } from "../../ui/audit/audit-list.tsx";
import { ResourceList } from "../../ui/resource/resource-list.tsx";

/** Actions whose target has a page, by the first word of both. */
const places: readonly (readonly [action: string, id: string, section: string])[] = [
  ["order.", "ord_", "orders"],
  ["product.", "prd_", "products"],
  ["coupon.", "cpn_", "coupons"],
  ["customer.", "cus_", "customers"],
  ["withdrawal.", "wdr_", "withdrawals"],
];

export const audit = toAuditList({
  navigation: "shop.nav.audit",
  areas: [
    "order.",
    "payment.",
    "withdrawal.",
    "customer.",
    "chat.",
    "product.",
    "category.",
    "collection.",
    "coupon.",
    "settings.",
    "smtp.",
    "mail.",
    "webhook.",
    "console.",
  ],
  useTarget:
    () =>
    ({ action, target }) => {
      const found = places.find(([area, id]) => action.startsWith(area) && target.startsWith(id));
      return { name: target, href: found && `/admin/${found[2]}/${target}` };
    },
});

/** The section. */
export function AuditPage(): JSX.Element {
  return <ResourceList of={audit} />;
}
