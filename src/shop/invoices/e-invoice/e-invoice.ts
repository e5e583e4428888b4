/**
 * An invoice or a credit note in the terms of EN 16931. Amounts are whole minor units, as everywhere; the numbers of the
 * standard's business terms are in the comments of the members.
 */

import { exponentOf, toDecimal } from "../../base/money.ts";

/** UNTDID 5305: how something is taxed. */
export type VatCategory = "S" | "Z" | "E" | "AE" | "K" | "G" | "O";

export interface EParty {
  /** BT-27, BT-44. */
  readonly name: string;
  /** BT-29. */
  readonly id?: string | undefined;
  /** BT-31, BT-48. */
  readonly vatId?: string | undefined;
  /** BT-32. */
  readonly taxNumber?: string | undefined;
  /** BT-33. */
  readonly legalForm?: string | undefined;
  readonly address: EAddress;
  /** BG-6, BG-9. */
  readonly contact: {
    readonly name?: string | undefined;
    readonly phone?: string | undefined;
    readonly email?: string | undefined;
  };
  /** BT-34, BT-49, with its scheme of the EAS list. */
  readonly endpoint?: { readonly scheme: string; readonly id: string } | undefined;
}

export interface EAddress {
  readonly line1?: string | undefined;
  readonly line2?: string | undefined;
  readonly city?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly region?: string | undefined;
  readonly country: string;
}

/** A rate with the reason for it; BT-118 and BT-119. */
export interface EVat {
  readonly category: VatCategory;
  /** Basis points. */
  readonly rate: number;
}

export interface ELine {
  /** BT-153. */
  readonly name: string;
  /** BT-155. */
  readonly sku: string;
  /** BG-32. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** BT-129. */
  readonly quantity: number;
  /** BT-146, as a decimal in as many digits as quantity × price = net needs. */
  readonly price: string;
  /** BT-131. */
  readonly net: number;
  readonly vat: EVat;
}

/** A discount or a charge of the whole document: BG-20, BG-21. */
export interface EAllowance {
  /** BT-97, BT-104. */
  readonly reason: string;
  /** BT-98 (UNTDID 5189), BT-105 (UNTDID 7161). */
  readonly reasonCode: string;
  readonly amount: number;
  readonly vat: EVat;
}

/** BG-23. */
export interface EVatTotal {
  readonly vat: EVat;
  /** BT-116. */
  readonly net: number;
  /** BT-117. */
  readonly tax: number;
  /** BT-120. */
  readonly reason?: string | undefined;
  /** BT-121. */
  readonly reasonCode?: string | undefined;
}

export interface EInvoice {
  readonly isCredit: boolean;
  /** BT-1. */
  readonly number: string;
  /** BT-2: "2026-11-21", as all days. */
  readonly issuedOn: string;
  readonly currency: string;
  /** BT-10. */
  readonly buyerReference: string;
  /** BT-13: the buyer's number. */
  readonly orderReference?: string | undefined;
  /** BT-14: the shop's number. */
  readonly orderNumber: string;
  /** BT-22. */
  readonly notes: readonly string[];
  /** BG-3. */
  readonly corrects?: { readonly number: string; readonly issuedOn: string } | undefined;
  readonly seller: EParty;
  readonly buyer: EParty;
  /** BG-13 and BG-15. */
  readonly deliverTo?: { readonly name: string; readonly address: EAddress } | undefined;
  /** BT-72. */
  readonly deliveredOn?: string | undefined;
  /** BG-14, where there is no day of delivery. */
  readonly period?: { readonly from: string; readonly to: string } | undefined;
  /** BG-16. */
  readonly payment: {
    /** BT-81: UNTDID 4461. */
    readonly code: string;
    /** BT-82. */
    readonly title: string;
    /** BT-83. */
    readonly reference: string;
    /** BT-84. */
    readonly iban?: string | undefined;
  };
  /** BT-20. */
  readonly terms: string;
  /** BT-9. */
  readonly dueOn: string;
  readonly lines: readonly ELine[];
  readonly allowances: readonly EAllowance[];
  readonly charges: readonly EAllowance[];
  readonly vatTotals: readonly EVatTotal[];
  /** BT-109. */
  readonly net: number;
  /** BT-110. */
  readonly tax: number;
  /** BT-112. */
  readonly total: number;
  /** BT-113: all of it, unless the invoice came before its payment. */
  readonly prepaid: number;
}

/** Decimal digits that amounts have at most (BR-DEC-01 to BR-DEC-28). */
export const MAX_DIGITS = 2;

/** Whether an amount can be written in the digits that the standard allows. */
export function isWritable(amount: number, currency: string): boolean {
  return amount % 10 ** Math.max(0, exponentOf(currency) - MAX_DIGITS) === 0;
}

/** An amount in the currency unit: 1999 EUR → "19.99", 12340 KWD → "12.34". */
export function toAmount(amount: number, currency: string): string {
  const surplus = Math.max(0, exponentOf(currency) - MAX_DIGITS);
  const text = toDecimal(amount, currency);
  return surplus === 0 ? text : text.slice(0, -surplus);
}

/** The sum of allowances, charges or lines. */
export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** A rate as percent: 550 → "5.5". */
export function toRate({ rate }: EVat): string {
  return String(rate / 100);
}
