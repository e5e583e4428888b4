/** Withdrawn and remaining units of an order. Pure. */

/** The part of a line that it depends on. */
export interface OrderedUnits {
  readonly id: string;
  readonly quantity: number;
  /** Units that came back. */
  readonly returned?: number | undefined;
}

/** Units of a line of an order. */
export interface LineUnits<L extends OrderedUnits> {
  readonly line: L;
  readonly quantity: number;
}

/** A withdrawal as declared, and its state. */
export interface StatedWithdrawal {
  readonly state: string;
  readonly what: string;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** The units of a line that a statement names: without lines and without words all; words alone name none for sure. */
function countNamed({ id, quantity }: OrderedUnits, { state, what, lines }: StatedWithdrawal): number {
  if (state === "declined") return 0;
  if (lines.length === 0) return what === "" ? quantity : 0;
  return lines.find(({ lineId }) => lineId === id)?.quantity ?? 0;
}

/** Units that were neither withdrawn nor returned; none of a fully refunded order. */
export function listLeft<L extends OrderedUnits>(
  { lines, paymentStatus }: { readonly lines: readonly L[]; readonly paymentStatus: string },
  stated: readonly StatedWithdrawal[],
): LineUnits<L>[] {
  if (paymentStatus === "refunded") return [];
  return lines.flatMap((line) => {
    const withdrawn = stated.reduce((sum, each) => sum + countNamed(line, each), 0);
    const quantity = line.quantity - Math.max(withdrawn, line.returned ?? 0);
    return quantity > 0 ? [{ line, quantity }] : [];
  });
}
