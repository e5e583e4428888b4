/** How the monitor asks targets of checks: with its own probes, held to the rules of where it may send to. */
import { runProbe } from "../kit/probes/probes.ts";
import { createSettings } from "./site/settings.ts";
import { VERSION } from "../version.ts";
import type { ServiceBase } from "../service/run.ts";
import type { CheckOptions } from "./check-parts.ts";

/** The setting is read again after so long: a thousand checks a minute must not each ask the store. */
const HOLD_MS = 5_000;
const privateRemedy = "allow checks of private networks in the settings";
const userAgent = `Trivet/${VERSION} (check)`;

/** Makes it. */
export function createCheckOptions({
  config,
  store,
  clock,
}: ServiceBase): Required<Pick<CheckOptions, "probe" | "anchors">> {
  const settings = createSettings({ store, clock });
  let read: { readonly allowPrivate: boolean; readonly atMs: number } | undefined;
  async function allowsPrivate(): Promise<boolean> {
    if (config.checksPrivate) return true;
    const nowMs = clock.monotonic();
    if (read !== undefined && nowMs - read.atMs < HOLD_MS) return read.allowPrivate;
    try {
      read = { allowPrivate: (await settings.read()).privateTargets, atMs: nowMs };
    } catch {
      // While the store is away, what was read last holds.
      read = { allowPrivate: read?.allowPrivate ?? false, atMs: nowMs };
    }
    return read.allowPrivate;
  }
  return {
    anchors: config.checkAnchors,
    probe: async (target, options) => {
      const rules = { allowPrivate: await allowsPrivate(), privateRemedy };
      return runProbe(target, { rules, userAgent, clock, ...options });
    },
  };
}
