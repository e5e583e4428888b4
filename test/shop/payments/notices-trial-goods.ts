/** What the shop of a trial sells. */

/** By hand, by a key each, by keys that are fewer than what is sold, and for nothing. */
export const goods = [
  { id: "prd_mug", price: 1_000, onHand: 5 },
  { id: "prd_key", price: 700, keys: ["k1", "k2", "k3", "k4"] },
  { id: "prd_code", price: 501, keys: ["c1", "c2"], stockMode: "unlimited" as const },
  { id: "prd_gift", price: 0, onHand: 4 },
];

export function priceOf(productId: string): number {
  return goods.find(({ id }) => id === productId)?.price ?? 0;
}
