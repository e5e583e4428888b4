/** Texts required on an invoice without tax (Article 226, points 11 and 11a, of Directive 2006/112/EC). */
import { createTextBook } from "../../kit/text/text-book.ts";
import { shopInvoices } from "../../texts/shop-invoices.ts";
import type { TaxKind } from "./schema.ts";

const inLanguage = createTextBook(shopInvoices);

/** As the tax offices of these countries want it; in their own language alone. */
const smallBusinessNotes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AT: "Umsatzsteuerfrei aufgrund der Kleinunternehmerregelung (§ 6 Abs. 1 Z 27 UStG).",
    BE: "Kleine onderneming onderworpen aan de vrijstellingsregeling van belasting. Btw niet toepasselijk.",
    DE: "Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.",
    FR: "TVA non applicable, article 293 B du CGI.",
  }),
);

/** The lines for the kinds of an order. */
export function listTaxNotes(
  kinds: readonly TaxKind[],
  {
    language,
    seller,
    smallBusinessNote,
  }: { readonly language: string; readonly seller: string; readonly smallBusinessNote: string },
): string[] {
  const { words } = inLanguage(language);
  return [...new Set(kinds)].flatMap((kind) => {
    if (kind === "taxed") return [];
    if (kind !== "exempt") return [words[`taxNote.${kind}`]];
    return [smallBusinessNote || (smallBusinessNotes.get(seller) ?? words["taxNote.exempt"])];
  });
}
