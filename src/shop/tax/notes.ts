/** What an invoice must say where no tax is charged (Article 226, points 11 and 11a, of Directive 2006/112/EC). */
import type { TaxKind } from "./schema.ts";

type Notes = Readonly<Record<Exclude<TaxKind, "taxed">, string>>;

const en: Notes = {
  reverse_charge: "Reverse charge: the customer owes the VAT (Article 196 of Directive 2006/112/EC).",
  intra_community: "VAT-exempt intra-Community supply (Article 138 of Directive 2006/112/EC).",
  export: "No EU VAT: export (Article 146 of Directive 2006/112/EC) or supply outside the EU.",
  exempt: "No VAT is charged: small enterprise (Article 284 of Directive 2006/112/EC).",
};

const de: Notes = {
  reverse_charge: "Reverse charge: Steuerschuldnerschaft des Leistungsempfängers (Art. 196 MwStSystRL).",
  intra_community: "Steuerfreie innergemeinschaftliche Lieferung (Art. 138 MwStSystRL).",
  export: "Keine Umsatzsteuer: Ausfuhrlieferung (Art. 146 MwStSystRL) oder Leistung außerhalb der EU.",
  exempt: "Es wird keine Umsatzsteuer berechnet: Kleinunternehmer (Art. 284 MwStSystRL).",
};

const zh: Notes = {
  reverse_charge: "Reverse charge：增值税由客户自行申报缴纳（欧盟指令 2006/112/EC 第 196 条）。",
  intra_community: "欧盟内部免税供货（欧盟指令 2006/112/EC 第 138 条）。",
  export: "不收取欧盟增值税：出口（欧盟指令 2006/112/EC 第 146 条）或欧盟境外服务。",
  exempt: "不收取增值税：小型企业免税（欧盟指令 2006/112/EC 第 284 条）。",
};

const known: ReadonlyMap<string, Notes> = new Map(Object.entries({ en, de, zh }));

/** As the tax offices of these countries want it; in their own language alone. */
const smallBusinessNotes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AT: "Umsatzsteuerfrei aufgrund der Kleinunternehmerregelung (§ 6 Abs. 1 Z 27 UStG).",
    BE: "Kleine onderneming onderworpen aan de vrijstellingsregeling van belasting. Btw niet toepasselijk.",
    DE: "Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.",
    FR: "TVA non applicable, article 293 B du CGI.",
  }),
);

/** The lines for the kinds of an order, in "en", "de" or "zh". */
export function listTaxNotes(
  kinds: readonly TaxKind[],
  {
    language,
    seller,
    smallBusinessNote,
  }: { readonly language: string; readonly seller: string; readonly smallBusinessNote: string },
): string[] {
  const notes = known.get(language) ?? en;
  return [...new Set(kinds)].flatMap((kind) => {
    if (kind === "taxed") return [];
    if (kind !== "exempt") return [notes[kind]];
    return [smallBusinessNote || (smallBusinessNotes.get(seller) ?? notes.exempt)];
  });
}
