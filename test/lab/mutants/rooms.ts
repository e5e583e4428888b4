/** Where mutants are made, and the tests that should find them: those closest to the code, which run in a second or two. */

export interface MutantRoom {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

export const mutantRooms: Readonly<Record<string, MutantRoom>> = {
  money: {
    sources: ["src/shop/base/money.ts"],
    tests: ["test/shop/money.test.ts", "test/shop/amount-text.test.ts", "test/shop/checkout/pricing.test.ts"],
  },
  tax: {
    sources: [
      "src/shop/tax/tax.ts",
      "src/shop/tax/vat-id.ts",
      "src/shop/tax/vat-id-digits.ts",
      "src/shop/tax/rates.ts",
    ],
    tests: [
      "test/shop/tax/tax.test.ts",
      "test/shop/tax/vat-id.test.ts",
      "test/shop/tax/rates.test.ts",
      "test/shop/tax/worked-cases.test.ts",
      "test/shop/checkout/pricing.test.ts",
    ],
  },
  tokens: {
    sources: ["src/auth/sessions/refresh-token.ts", "src/auth/sessions/jwt.ts", "src/kit/secrets/id.ts"],
    tests: [
      "test/auth/sessions/refresh-token.test.ts",
      "test/auth/sessions/refresh-grace.test.ts",
      "test/auth/sessions/jwt.test.ts",
      "test/auth/sessions/tokens.test.ts",
      "test/hostile/application-tokens.test.ts",
      "test/kit/secrets/id.test.ts",
    ],
  },
  records: {
    sources: ["src/records/audit-chain.ts", "src/records/audit.ts", "src/records/outbox.ts"],
    tests: [
      "test/records/audit.test.ts",
      "test/records/audit-upkeep.test.ts",
      "test/records/outbox.test.ts",
      "test/records/outbox-decisions.test.ts",
      "test/records/outbox-delivery.test.ts",
      "test/records/outbox-rivals.test.ts",
    ],
  },
  journal: {
    sources: [
      "src/store/journal/line.ts",
      "src/store/journal/json-reader.ts",
      "src/store/journal/content.ts",
    ],
    tests: [
      "test/store/journal/line.test.ts",
      "test/store/journal/json-reader.test.ts",
      "test/store/journal/journal-recovery.test.ts",
      "test/store/journal/content.test.ts",
      "test/store/journal/rebuild.test.ts",
      "test/store/journal/journal-faults.test.ts",
    ],
  },
};
