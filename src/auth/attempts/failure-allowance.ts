/** How many failures an address may have, as an administrator set it. */
import type { AuthDeps } from "../base/deps.ts";
import { loadSettings } from "../settings/settings.ts";

export interface FailureAllowance {
  readonly failures: number;
  readonly windowMinutes: number;
}

/** A change takes effect after this time, so that guesses do not cost a read of the settings each. */
const KEPT_MS = 5_000;

/** Creates the reader of the setting, which keeps what it read for a few seconds. */
export function createFailureAllowance({
  store,
  clock,
}: Pick<AuthDeps, "store" | "clock">): () => Promise<FailureAllowance> {
  let kept: { readonly allowance: Promise<FailureAllowance>; readonly untilMs: number } | undefined;

  async function read(): Promise<FailureAllowance> {
    const { failuresPerAddress, failureWindowMinutes } = await loadSettings(store, "registration");
    return { failures: failuresPerAddress, windowMinutes: failureWindowMinutes };
  }

  return () => {
    const nowMs = clock.monotonic();
    if (kept !== undefined && nowMs < kept.untilMs) return kept.allowance;
    const next = { allowance: read(), untilMs: nowMs + KEPT_MS };
    kept = next;
    next.allowance.catch(() => {
      if (kept === next) kept = undefined;
    });
    return next.allowance;
  };
}
