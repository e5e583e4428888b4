/** What can be said of an uptime: a share of very little time is nearly always 0 or 100 %, and says nothing. */

/** A share of less time is not shown, milliseconds. */
export const YOUNG_BELOW_MS = 3_600_000;

export type UptimeFigure =
  | { readonly kind: "none" }
  /** Too little is known for a share. */
  | { readonly kind: "young"; readonly knownMs: number }
  | { readonly kind: "share"; readonly share: number };

/**
 * The figure for a share of the known time, whatever its unit; null or undefined where nothing is known. `knownMs` is how much time
 * is known in all, not only in the shown span: a day that has just begun is not young. Undefined: enough.
 */
export function toUptimeFigure(share: number | null | undefined, knownMs: number | undefined): UptimeFigure {
  if (share === null || share === undefined) return { kind: "none" };
  if (knownMs !== undefined && knownMs < YOUNG_BELOW_MS) return { kind: "young", knownMs };
  return { kind: "share", share };
}
