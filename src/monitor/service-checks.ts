/** How the monitor asks targets of checks: with its own probes, held to the rules of where it may send to. */
import type { ProbeResult } from "../kit/probes/probe.ts";
import { runProbe } from "../kit/probes/probes.ts";
import { DomainBook } from "../kit/probes/rdap/domain-book.ts";
import { findPrivateSetting, privateRemedies } from "./site/private-networks.ts";
import { createSettings } from "./site/settings.ts";
import { VERSION } from "../version.ts";
import type { ServiceBase } from "../service/run.ts";
import type { CheckOptions } from "./app/check-parts.ts";

/** The setting is read again after so long: a thousand checks a minute must not each ask the store. */
const HOLD_MS = 5_000;
const privateRemedy = privateRemedies.privateTargets;
const userAgent = `Trivet/${VERSION} (check)`;

export function createCheckOptions({
  config,
  store,
  clock,
}: ServiceBase): Required<Pick<CheckOptions, "probe" | "anchors">> {
  const settings = createSettings({ store, clock });
  const domains = new DomainBook();
  let read: { readonly allowPrivate: boolean; readonly atMs: number } | undefined;
  async function allowsPrivate(): Promise<boolean> {
    if (config.checksPrivate) return true;
    const nowMs = clock.monotonic();
    if (read !== undefined && nowMs - read.atMs < HOLD_MS) return read.allowPrivate;
    try {
      read = { allowPrivate: (await settings.read()).privateTargets, atMs: nowMs };
    } catch {
      // While the store is unavailable, the last value is used.
      read = { allowPrivate: read?.allowPrivate ?? false, atMs: nowMs };
    }
    return read.allowPrivate;
  }
  return {
    anchors: config.checkAnchors,
    probe: async (target, options) => {
      const run = (allowPrivate: boolean): Promise<ProbeResult> =>
        runProbe(target, {
          rules: { allowPrivate, privateRemedy },
          userAgent,
          clock,
          probeDomain: (asked, context) => domains.probe(asked, context),
          ...options,
        });
      const result = await run(await allowsPrivate());
      if (result.fault !== "forbidden" || findPrivateSetting(result.detail) === undefined) return result;
      // It may have been allowed a moment ago: try again.
      read = undefined;
      return (await allowsPrivate()) ? run(true) : result;
    },
  };
}
