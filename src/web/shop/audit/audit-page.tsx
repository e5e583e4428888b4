/** What administrators of the shop did. */
import type { JSX } from "preact";
import { type AuditWords, AuditSection } from "../../ui/audit/audit-section.tsx";

/** Actions whose target has a page, by the first word of both. */
const places: readonly (readonly [action: string, id: string, section: string])[] = [
  ["order.", "ord_", "orders"],
  ["product.", "prd_", "products"],
  ["coupon.", "cpn_", "coupons"],
  ["customer.", "cus_", "customers"],
  ["withdrawal.", "wdr_", "withdrawals"],
];

const words: AuditWords = {
  title: "shop.nav.audit",
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
  toPlace: ({ action, target }) => {
    const found = places.find(([area, id]) => action.startsWith(area) && target.startsWith(id));
    return found === undefined ? undefined : `/admin/${found[2]}/${target}`;
  },
};

/** The section. */
export function AuditPage(): JSX.Element {
  return <AuditSection words={words} />;
}
