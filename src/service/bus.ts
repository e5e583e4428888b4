/** Joins a service to the other processes that serve it, when NATS_URL names where they meet. */
import type { Bus } from "../bus/bus.ts";
import { createLocalBus } from "../bus/local.ts";
import type { Config } from "../config.ts";
import type { ServiceName } from "../kit/services.ts";
import { systemClock } from "../kit/time/clock.ts";
import { newId } from "../kit/secrets/id.ts";
import type { Log } from "../kit/observe/log.ts";
import { loadServiceSecret } from "./secrets.ts";

/** Opens a service's bus; it does not wait for the server, whose absence stops nothing. */
export async function openBus(
  { config, log }: { readonly config: Config; readonly log: Log },
  service: ServiceName,
): Promise<Bus> {
  const node = newId("node");
  const { nats } = config;
  if (nats === undefined) return createLocalBus(node);
  // Loaded only where it is used: most installs are one process.
  const { createNatsBus } = await import("../bus/nats.ts");
  return createNatsBus({
    node,
    url: nats.url,
    prefix: `${nats.prefix}.${service}`,
    name: `trivet-${service}`,
    secret: await loadServiceSecret({ config, log }, service),
    now: () => systemClock.now(),
    caPath: nats.caPath,
    onEvent: ({ level, message, error }) => log[level](message, error === undefined ? {} : { error }),
  });
}

/** Health checks of the bus; a process that runs alone has none. Without the bus a node goes on: "degraded". */
export function toBusChecks(bus: Bus): Record<string, () => Promise<void>> {
  return bus.isShared ? { bus: () => bus.check() } : {};
}
