/** @jsxImportSource hono/jsx */
/** What a renewing license costs after its first period, wherever it is shown or ordered. */
import { findKind } from "../../payments/providers/kinds.ts";
import { kindNameOf } from "../../payments/services/open-provider.ts";
import type { RenewalTerms } from "../../products/license-schema.ts";
import type { Provider } from "../../site/schema.ts";
import { wordsOfProvider } from "../../site/site.ts";
import type { Visit } from "../visit.tsx";

/** "Renews every year for €29.00. Cancel any time." */
export function toRenewalNote(
  { every, count, price }: RenewalTerms,
  { visit: { t, money, site }, quantity = 1 }: { readonly visit: Visit; readonly quantity?: number },
): string {
  return t("renewal.terms", { every, count, price: money(price * quantity, site.currency) });
}

/** The same below a price; the first period may cost something else. */
export function RenewalNote({
  terms,
  visit,
  price,
}: {
  readonly terms: RenewalTerms | undefined;
  readonly visit: Visit;
  /** Of the first period. */
  readonly price: number;
}) {
  if (terms === undefined) return <></>;
  const { every, count } = terms;
  const first = price === terms.price ? "" : ` ${visit.t("renewal.first", { every, count })}`;
  return <p class="small">{toRenewalNote(terms, { visit }) + first}</p>;
}

/** Who charges the periods after the first: said before the order, as the law and payment services want it. */
export function toKeepsNote(providers: readonly Provider[], { t, language }: Visit): string {
  const automatic = providers.filter(
    (provider) => findKind(kindNameOf(provider))?.subscriptions !== undefined,
  );
  if (automatic.length === 0) return t("renewal.invoices");
  const titles = automatic.map((provider) => wordsOfProvider(provider, language).title);
  const methods = new Intl.ListFormat(language, { type: "disjunction" }).format(titles);
  return t("renewal.keeps", { methods });
}
