/** Steps of random histories: what is sent, moved, or how long nothing happens. */
import fc from "fast-check";

/** What a notice says; places and amounts are chosen when the step is made, from what there is then. */
export interface NoticeStep {
  readonly provider: "test" | "open";
  /** "": one that no other step has. */
  readonly ref: string;
  /** "": the body names none. */
  readonly event: string;
  readonly status: "succeeded" | "failed" | "pending" | "refunded" | "chargeback";
  readonly order: number;
  readonly by: "id" | "number" | "nobody";
  readonly amount: Amount;
  readonly currency: "EUR" | "USD";
}

/** Whole: what is due, or for what goes back, what was paid. */
export type Amount = "whole" | "half" | "rest" | "more" | "one" | "none";

/** Staff write a draft, and place it: paid in cash, or with an invoice that is paid later. */
export interface DraftStep {
  readonly kind: "draft";
  readonly items: readonly [product: number, quantity: number][];
  readonly isInvoiced: boolean;
}

/** Staff change the units or the price of a line. */
export interface EditStep {
  readonly kind: "edit";
  readonly order: number;
  readonly line: number;
  readonly quantity?: number | undefined;
  readonly unitPrice?: number | undefined;
}

/** Staff give back a unit of a line. */
export interface LineRefundStep {
  readonly kind: "refundLine";
  readonly order: number;
  readonly line: number;
}

export type Step =
  | ({ readonly kind: "notice" } & NoticeStep)
  /** One that came before, perhaps with something changed. */
  | {
      readonly kind: "again";
      readonly notice: number;
      readonly event: "same" | "fresh" | "other";
      readonly change: "none" | "amount" | "order" | "currency";
    }
  | ({ readonly kind: "burst" } & NoticeStep)
  | { readonly kind: "place"; readonly items: readonly [product: number, quantity: number][] }
  | DraftStep
  | EditStep
  | LineRefundStep
  | { readonly kind: "restock"; readonly product: number }
  | { readonly kind: "time"; readonly minutes: number; readonly isRunning: boolean }
  | {
      readonly kind: "markPaid" | "refund";
      readonly order: number;
      readonly amount: Amount | "default";
      readonly ref: string;
    }
  | {
      readonly kind: "cancel" | "adminCancel" | "deliver" | "confirm" | "claim" | "resolve";
      readonly order: number;
    }
  | { readonly kind: "assign"; readonly notice: number; readonly order: number; readonly isOwn: boolean }
  | { readonly kind: "dismiss" | "trial" | "replay"; readonly notice: number };

const index = fc.nat(1_000);
const amount = fc.constantFrom<Amount>(
  ...(["whole", "whole", "whole", "whole", "half", "half", "rest", "more", "one", "none"] as const),
);
const fresh = { arbitrary: fc.constant(""), weight: 3 };

const notice: fc.Arbitrary<NoticeStep> = fc.record({
  provider: fc.constantFrom("test", "test", "test", "open"),
  ref: fc.oneof(fresh, { arbitrary: fc.constantFrom("r1", "r2"), weight: 2 }),
  event: fc.oneof(fresh, { arbitrary: fc.constantFrom("e1", "e2"), weight: 1 }),
  status: fc.constantFrom(
    ...(["succeeded", "succeeded", "succeeded", "refunded", "refunded"] as const),
    ...(["chargeback", "pending", "failed"] as const),
  ),
  order: index,
  by: fc.constantFrom("id", "id", "id", "id", "id", "number", "nobody"),
  amount,
  currency: fc.constantFrom(...(["EUR", "EUR", "EUR", "EUR", "EUR", "EUR", "EUR", "USD"] as const)),
});

const minutes = fc.constantFrom(
  1,
  5,
  15,
  16,
  60,
  11 * 60,
  12 * 60,
  13 * 60,
  3 * 1_440,
  7 * 1_440,
  15 * 1_440,
);

/** Any step; those that an order needs to get on are the likeliest. */
export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 30, arbitrary: notice.map((one): Step => ({ kind: "notice", ...one })) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant("again" as const),
      notice: index,
      event: fc.constantFrom("same", "fresh", "other"),
      change: fc.constantFrom("none", "none", "amount", "order", "currency"),
    }),
  },
  { weight: 2, arbitrary: notice.map((one): Step => ({ kind: "burst", ...one })) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("place" as const),
      items: fc.uniqueArray(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 2 })), {
        minLength: 1,
        maxLength: 3,
        selector: ([product]) => product,
      }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("draft" as const),
      items: fc.uniqueArray(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 2 })), {
        minLength: 1,
        maxLength: 3,
        selector: ([product]) => product,
      }),
      isInvoiced: fc.boolean(),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.oneof(
      fc.record({
        kind: fc.constant("edit" as const),
        order: index,
        line: fc.nat(2),
        quantity: fc.constantFrom(0, 1, 2, 3, 4),
      }),
      fc.record({
        kind: fc.constant("edit" as const),
        order: index,
        line: fc.nat(2),
        unitPrice: fc.constantFrom(0, 1, 499, 1_000, 1_500),
      }),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("refundLine" as const), order: index, line: fc.nat(2) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("restock" as const), product: fc.nat(3) }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("time" as const), minutes, isRunning: fc.boolean() }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constantFrom("markPaid" as const, "refund" as const),
      order: index,
      amount: fc.oneof(fc.constant("default" as const), fc.constant("default" as const), amount),
      ref: fc.constantFrom("", "", "m1", "m2"),
    }),
  },
  {
    weight: 18,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        ...(["cancel", "adminCancel", "adminCancel", "deliver", "deliver", "confirm"] as const),
        ...(["claim", "resolve"] as const),
      ),
      order: index,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("assign" as const),
      notice: index,
      order: index,
      isOwn: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("dismiss" as const, "trial" as const, "replay" as const, "replay" as const),
      notice: index,
    }),
  },
);
