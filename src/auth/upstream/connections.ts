/** Providers as the client library knows them: read when the first person wants to go there, and kept for a while. */
import type { Configuration } from "openid-client";
import type { AuthDeps } from "../base/deps.ts";
import type { KindParts, OpenedUpstream } from "./kind.ts";
import { upstreamKinds } from "./kinds.ts";
import { createOutboundFetch } from "./outbound-fetch.ts";
import type { UpstreamRecord } from "./schema.ts";

/** A provider's metadata is reloaded after this. */
const KEPT_MS = 10 * 60_000;
/** A clock that was set makes what is kept useless. */
const MAX_DRIFT_SECONDS = 5;

/** The purpose that client secrets are sealed for. */
export const UPSTREAM_SECRET = "upstream-secret";

interface Kept {
  readonly version: number;
  readonly skewSeconds: number;
  readonly untilMs: number;
  readonly config: Promise<Configuration>;
}

export type Connections = ReturnType<typeof createConnections>;

export function createConnections({ clock, box, outbound }: Pick<AuthDeps, "clock" | "box" | "outbound">) {
  const fetch = createOutboundFetch(outbound);
  const kept = new Map<string, Kept>();

  /** Parts of a connection to the provider; loads the library. */
  async function toParts(upstream: UpstreamRecord): Promise<KindParts> {
    const { sealedSecret } = upstream;
    const secret = sealedSecret === undefined ? undefined : box.open(sealedSecret, UPSTREAM_SECRET);
    const opened: OpenedUpstream = { ...upstream, secret };
    const skewSeconds = Math.round((clock.now() - Date.now()) / 1_000);
    return { library: await import("openid-client"), upstream: opened, fetch, skewSeconds };
  }

  /** Loads the provider's metadata. Throws what the library throws. */
  async function configure(record: UpstreamRecord, parts: KindParts): Promise<Configuration> {
    const { id, editVersion: version, kind } = record;
    const { skewSeconds } = parts;
    const known = kept.get(id);
    const isGood =
      known?.version === version &&
      known.untilMs > clock.monotonic() &&
      Math.abs(known.skewSeconds - skewSeconds) <= MAX_DRIFT_SECONDS;
    if (isGood) return known.config;
    const config = upstreamKinds[kind].configure(parts);
    kept.set(id, { version, skewSeconds, untilMs: clock.monotonic() + KEPT_MS, config });
    // A failure is not kept: the provider may be back at the next click.
    config.catch(() => kept.delete(id));
    return config;
  }

  return { toParts, configure };
}
