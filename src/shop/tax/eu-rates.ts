/**
 * VAT rates of the EU member states in basis points, as of 1 January 2026: published tables of 2025, and what changed
 * since (Estonia 24 %, Romania 21 % and 11 %, Slovakia 19 %, Lithuania 12 %, Finland 13.5 %). The reference is the
 * Taxes in Europe Database of the European Commission (https://ec.europa.eu/taxation_customs/tedb), which could not
 * be read here. Which goods are in which class differs by country: sellers check what they sell, and correct rates
 * in the settings.
 */

interface CountryRates {
  readonly standard: number;
  /** The lowest rate of 5 % and more. */
  readonly reduced?: number;
  /** The next one above it. */
  readonly intermediate?: number;
  /** Below 5 %. */
  readonly super_reduced?: number;
}

/** By ISO 3166-1 codes: Greece is GR here and EL in VAT ids. */
export const euRates: Readonly<Record<string, CountryRates>> = {
  AT: { standard: 2_000, reduced: 1_000, intermediate: 1_300 },
  BE: { standard: 2_100, reduced: 600, intermediate: 1_200 },
  BG: { standard: 2_000, reduced: 900 },
  CY: { standard: 1_900, reduced: 500, intermediate: 900, super_reduced: 300 },
  CZ: { standard: 2_100, reduced: 1_200 },
  DE: { standard: 1_900, reduced: 700 },
  DK: { standard: 2_500 },
  EE: { standard: 2_400, reduced: 900, intermediate: 1_300 },
  ES: { standard: 2_100, reduced: 1_000, super_reduced: 400 },
  FI: { standard: 2_550, reduced: 1_000, intermediate: 1_350 },
  FR: { standard: 2_000, reduced: 550, intermediate: 1_000, super_reduced: 210 },
  GR: { standard: 2_400, reduced: 600, intermediate: 1_300 },
  HR: { standard: 2_500, reduced: 500, intermediate: 1_300 },
  HU: { standard: 2_700, reduced: 500, intermediate: 1_800 },
  IE: { standard: 2_300, reduced: 900, intermediate: 1_350, super_reduced: 480 },
  IT: { standard: 2_200, reduced: 500, intermediate: 1_000, super_reduced: 400 },
  LT: { standard: 2_100, reduced: 500, intermediate: 1_200 },
  LU: { standard: 1_700, reduced: 800, intermediate: 1_400, super_reduced: 300 },
  LV: { standard: 2_100, reduced: 500, intermediate: 1_200 },
  MT: { standard: 1_800, reduced: 500, intermediate: 700 },
  NL: { standard: 2_100, reduced: 900 },
  PL: { standard: 2_300, reduced: 500, intermediate: 800 },
  PT: { standard: 2_300, reduced: 600, intermediate: 1_300 },
  RO: { standard: 2_100, reduced: 1_100 },
  SE: { standard: 2_500, reduced: 600, intermediate: 1_200 },
  SI: { standard: 2_200, reduced: 500, intermediate: 950 },
  SK: { standard: 2_300, reduced: 500, intermediate: 1_900 },
};

/** When the rates were looked up. */
export const EU_RATES_AS_OF = "2026-01-01";

/** Whether a country is a member state of the EU. */
export function isInEu(country: string): boolean {
  return Object.hasOwn(euRates, country);
}
