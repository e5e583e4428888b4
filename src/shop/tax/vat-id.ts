/**
 * VAT identification numbers of the EU: their form by country, as the European Commission describes it (VIES, question
 * 11 of its FAQ). Whether one is in force is not asked online.
 */

const forms: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/u,
  BE: /^[01]\d{9}$/u,
  BG: /^\d{9,10}$/u,
  CY: /^\d{8}[A-Z]$/u,
  CZ: /^\d{8,10}$/u,
  DE: /^\d{9}$/u,
  DK: /^\d{8}$/u,
  EE: /^\d{9}$/u,
  EL: /^\d{9}$/u,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/u,
  FI: /^\d{8}$/u,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/u,
  HR: /^\d{11}$/u,
  HU: /^\d{8}$/u,
  IE: /^(?:\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/u,
  IT: /^\d{11}$/u,
  LT: /^(?:\d{9}|\d{12})$/u,
  LU: /^\d{8}$/u,
  LV: /^\d{11}$/u,
  MT: /^\d{8}$/u,
  NL: /^[A-Z0-9+*]{10}\d{2}$/u,
  PL: /^\d{10}$/u,
  PT: /^\d{9}$/u,
  RO: /^\d{2,10}$/u,
  SE: /^\d{10}01$/u,
  SI: /^\d{8}$/u,
  SK: /^\d{10}$/u,
};

function toCompact(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s.-]/gu, "");
}

/** Whether a VAT id begins as those of an EU country do, whatever follows. */
export function hasVatPrefix(typed: string): boolean {
  return Object.hasOwn(forms, toCompact(typed).slice(0, 2));
}

/** The country (ISO 3166-1) of a VAT id of the EU that has the right form; blanks, dots and hyphens do not count. */
export function findVatCountry(typed: string): string | undefined {
  const compact = toCompact(typed);
  const prefix = compact.slice(0, 2);
  const form = Object.hasOwn(forms, prefix) ? forms[prefix] : undefined;
  if (form === undefined || !form.test(compact.slice(2))) return undefined;
  return prefix === "EL" ? "GR" : prefix;
}
