/**
 * VAT identification numbers of the EU and of Northern Ireland: their form by country, as the European Commission
 * describes it (VIES, question 11 of its FAQ), and their check digits. Registration is not checked online.
 */
import { digitChecks } from "./vat-id-digits.ts";

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
  IE: /^(?:\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W]|\d{7}[A-W]W)$/u,
  IT: /^\d{11}$/u,
  LT: /^(?:\d{9}|\d{12})$/u,
  LU: /^\d{8}$/u,
  LV: /^\d{11}$/u,
  MT: /^\d{8}$/u,
  NL: /^[A-Z0-9+*]{9}B\d{2}$/u,
  PL: /^\d{10}$/u,
  PT: /^\d{9}$/u,
  RO: /^\d{2,10}$/u,
  SE: /^\d{10}01$/u,
  SI: /^\d{8}$/u,
  SK: /^\d{10}$/u,
  XI: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/u,
};

/** A VAT id as it is compared and printed: capitals, no spaces, dots or hyphens. */
export function toCompactVatId(typed: string): string {
  return typed.toUpperCase().replaceAll(/[\s\u00ad\u200b-\u200f\u2060\ufeff./-]|\p{Pd}/gu, "");
}

/** The prefix of a country's VAT ids: EL for Greece, whose code is GR everywhere else. */
export function toVatPrefix(country: string): string | undefined {
  const prefix = country === "GR" ? "EL" : country;
  return prefix !== "XI" && Object.hasOwn(forms, prefix) ? prefix : undefined;
}

/** Whether a VAT id starts like one of an EU country or Northern Ireland, whatever follows. */
export function hasVatPrefix(typed: string): boolean {
  return Object.hasOwn(forms, toCompactVatId(typed).slice(0, 2));
}

/** A VAT id with the right form and check digits. */
export interface VatId {
  /** Compact: "ATU13585627". */
  readonly text: string;
  /** ISO 3166-1: GR for EL, GB for XI. */
  readonly country: string;
  /** Counts for goods alone: Northern Ireland follows the EU's rules for them. */
  readonly isForGoodsOnly: boolean;
}

/** Why a text is no VAT id. "unknown": it starts like none; "greek": it starts with GR in place of EL. */
export type VatIdFault = "unknown" | "greek" | "form" | "digits";

/** Parses a VAT ID as typed. */
export function readVatId(typed: string): VatId | VatIdFault {
  const text = toCompactVatId(typed);
  const prefix = text.slice(0, 2);
  const body = text.slice(2);
  if (prefix === "GR") return "greek";
  const form = Object.hasOwn(forms, prefix) ? forms[prefix] : undefined;
  if (form === undefined) return "unknown";
  if (!form.test(body)) return "form";
  if (digitChecks[prefix]?.(body) !== true) return "digits";
  const country = prefix === "EL" ? "GR" : prefix === "XI" ? "GB" : prefix;
  return { text, country, isForGoodsOnly: prefix === "XI" };
}

/** Whether a text has the form of a VAT id, whatever its check digits. */
export function hasVatForm(typed: string): boolean {
  const read = readVatId(typed);
  return typeof read === "object" || read === "digits";
}
