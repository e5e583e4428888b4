/** How far a shop is set up: the four steps to the first sale, and what is missing before real buyers come. */
import { isUsable } from "../payments/services/offered.ts";
import { isPublicHttps } from "../../kit/outbound/public-url.ts";
import type { ReadTx } from "../../store/store.ts";
import { isEuOn } from "../eu/schema.ts";
import { orders } from "../orders/records.ts";
import { products } from "../products/records.ts";
import { type SiteSettings, type SmtpSettings, DEMO_SLUG, siteSettingsSchema } from "../site/schema.ts";

/** In the order in which they are taken. */
export const setupSteps = ["site", "product", "provider", "order"] as const;
export type SetupStep = (typeof setupSteps)[number];

/** Gaps that a shop should close before it sells. */
export const setupGaps = [
  "demo_on",
  "real_provider",
  "mail_server",
  "owner_address",
  "seller_address",
  "page_imprint",
  "page_terms",
  "page_privacy",
  "page_withdrawal",
  "public_https",
  "backups",
  "closed",
] as const;
export type SetupGap = (typeof setupGaps)[number];

/** Relevant facts about the installation. */
export interface SetupFacts {
  readonly publicUrl: string;
  readonly hasMailServer: boolean;
  /** Undefined when that is not known here. */
  readonly hasBackups: boolean | undefined;
}

const defaults = siteSettingsSchema.parse({});

export async function readSteps(tx: ReadTx, site: SiteSettings): Promise<Record<SetupStep, boolean>> {
  const published = await tx.list(products, "byStatus", { prefix: ["published"], limit: 1 });
  const unpaid = await tx.count(orders, "byPaymentStatus", { prefix: ["unpaid"] });
  return {
    site: site.name !== defaults.name,
    product: published.items.length > 0,
    provider: site.paymentProviders.some(isUsable),
    order: (await tx.count(orders)) > unpaid,
  };
}

/** A page counts by its slug or its title, as owners name them. */
const pageWords: readonly (readonly [SetupGap, RegExp])[] = [
  ["page_imprint", /imprint|impressum|legal-notice|about/u],
  ["page_terms", /terms|agb|conditions/u],
  ["page_privacy", /privacy|datenschutz/u],
  ["page_withdrawal", /withdraw|widerruf|returns|cancel/u],
];

function listPageGaps({ pages, currency, eu }: SiteSettings): SetupGap[] {
  const lacking = pageWords.filter(([, words]) => !pages.some(({ slug }) => words.test(slug)));
  return lacking.map(([gap]) => gap).filter((gap) => gap !== "page_withdrawal" || isEuOn({ currency, eu }));
}

/** Missing parts, in the order of {@link setupGaps}. */
export function listGaps(site: SiteSettings, smtp: SmtpSettings, facts: SetupFacts): SetupGap[] {
  const { seller, paymentProviders } = site;
  const real = paymentProviders.filter(({ word }) => word !== DEMO_SLUG);
  const isDemoOn = paymentProviders.some(({ word, enabled }) => word === DEMO_SLUG && enabled);
  const isSellerKnown = [seller.name, seller.line1, seller.city, seller.country].every((part) => part !== "");
  const found = new Set<SetupGap>([
    ...(isDemoOn ? (["demo_on"] as const) : []),
    ...(real.some(isUsable) ? [] : (["real_provider"] as const)),
    ...(smtp.enabled || facts.hasMailServer ? [] : (["mail_server"] as const)),
    ...(smtp.adminAddress === "" ? (["owner_address"] as const) : []),
    ...(isSellerKnown ? [] : (["seller_address"] as const)),
    ...listPageGaps(site),
    ...(isPublicHttps(facts.publicUrl) ? [] : (["public_https"] as const)),
    ...(facts.hasBackups === false ? (["backups"] as const) : []),
    ...(site.maintenance || !site.checkoutOpen ? (["closed"] as const) : []),
  ]);
  return setupGaps.filter((gap) => found.has(gap));
}
