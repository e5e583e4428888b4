/** Opens what the monitor keeps on disk or in the database, and makes the monitor over it. */
import { createAccountCheck } from "./access/account-check.ts";
import { newId } from "../kit/secrets/id.ts";
import type { Log } from "../kit/observe/log.ts";
import { createTiers } from "./history/tiers.ts";
import { createPartTiers } from "./parts/part-history.ts";
import { metricKinds } from "./base/metrics.ts";
import { type Monitor, createMonitor } from "./app/monitor.ts";
import { createSettings } from "./site/settings.ts";
import { openSampleLog } from "../store/series/samples/file-sample-log.ts";
import { openFileRollups } from "../store/series/rollups/file-rollups.ts";
import { readOrigin } from "../store/series/samples/origin.ts";
import type { Scrub } from "../store/scrub.ts";
import type { RollupStore, RollupTier } from "../store/series/rollups/rollups.ts";
import type { CheckOptions } from "./app/check-parts.ts";
import { createCheckOptions } from "./service-checks.ts";
import { openNotifyDeps } from "./service-channels.ts";
import { openAccountCenter } from "../service/account-center.ts";
import type { ServiceBase } from "../service/run.ts";

/** Opens the rollups of a history: files, or the database with a mark for this data folder. */
async function openRollups(
  context: ServiceBase,
  { name, tiers }: { name: "history" | "parts"; tiers: readonly RollupTier[] },
): Promise<RollupStore & { readonly scrub?: Scrub }> {
  const { config, clock, log, data } = context;
  const folder = `${config.dataDir}/monitor`;
  const { databaseUrl: url } = config;
  // It lies with the sample log, whose segments and checkpoint the marks count.
  const origin = await readOrigin(`${folder}/samples`);
  if (url === undefined)
    return openFileRollups({
      folder: `${folder}/${name}`,
      tiers,
      clock,
      origin,
      onLost: (lost) => {
        log.error("A history file is missing", { ...lost });
        data.note(lost);
      },
    });
  const { openPostgresRollups } = await import("../store/postgres/rollups.ts");
  return openPostgresRollups({
    url,
    prefix: `monitor_${name}`,
    tiers,
    origin,
    clock,
    applicationName: `trivet-monitor-${name}`,
  });
}

/** Flushes usage to the store at the end; rejected parts are in the checkpoint of the sample log. */
async function flushUsage(monitor: Monitor, log: Log): Promise<void> {
  await monitor.usage
    .flush()
    .catch((error: unknown) => log.warn("Traffic and uptime counters could not be stored", { error }));
  monitor.usage.close();
}

/** How long a sign-in with an account waits for the auth center. */
const AUTH_TIMEOUT_MS = 10_000;

/** Opens all that the monitor keeps, and makes the monitor over it; `checking`: how checks ask, by default the world. */
export async function openMonitor(
  base: ServiceBase,
  { checking = createCheckOptions(base) }: { checking?: CheckOptions } = {},
): Promise<{ readonly monitor: Monitor; readonly scrubs: readonly Scrub[] }> {
  const { config, clock, log, store, box, limits, data, onClose } = base;
  const folder = `${config.dataDir}/monitor`;
  const { notify, environment, close: closeNotify } = openNotifyDeps(base, box);
  onClose(closeNotify);
  const { rawRetentionMinutes, retention } = await createSettings({ store, clock }).read();
  const rollups = await openRollups(base, { name: "history", tiers: createTiers(retention) });
  onClose(() => rollups.close());
  const partRollups = await openRollups(base, { name: "parts", tiers: createPartTiers(retention) });
  onClose(() => partRollups.close());
  // The log asks for what to keep in its checkpoint long after the monitor was made over it.
  const made: { monitor?: Monitor } = {};
  const samples = await openSampleLog({
    folder: `${folder}/samples`,
    columns: metricKinds,
    // A little longer than the raw charts reach, which are rebuilt from it.
    retainMs: (rawRetentionMinutes + 1) * 60_000,
    clock,
    checkpoint: () => made.monitor?.ingest.checkpoint() ?? [],
    // The rollups take what is in a segment when it ends; until they have it, it stays.
    keepFrom: () => rollups.flushedSeq,
    onRolled: async (firstSeq) => made.monitor?.history.flush(firstSeq),
    wantsRoll: () => made.monitor?.history.wantsFlush() ?? false,
    log,
    onEvent: (event) => {
      if (event.type === "lost") data.note(event);
      else if (event.type === "gap") data.note({ path: event.missing, problem: "is missing" });
    },
  });
  onClose(() => samples.close());
  const monitor = await createMonitor({
    store,
    bus: base.bus,
    samples,
    rollups,
    partRollups,
    clock,
    log,
    limits,
    notify,
    mailEnvironment: environment,
    pingKey: config.pingKey,
    checking,
    tokenHashes: base.tokenHashes,
    checkAccount: createAccountCheck({ authUrl: config.authUrl, timeoutMs: AUTH_TIMEOUT_MS }),
    center: await openAccountCenter(base, "monitor"),
    onTokenUse: base.onTokenUse,
    instance: newId("run").slice(-8),
    publicUrl: config.publicUrl,
    basePath: config.places.monitor.basePath,
  });
  made.monitor = monitor;
  onClose(() => flushUsage(monitor, log));
  onClose(async () => monitor.parts?.close());
  onClose(() => monitor.notices.close());
  onClose(() => monitor.followers.close());
  onClose(() => monitor.checkWatch.close());
  onClose(() => monitor.nodes.close());
  const kept = [rollups, partRollups].flatMap(({ scrub }) => (scrub === undefined ? [] : [scrub]));
  return { monitor, scrubs: [samples.scrub, ...kept] };
}
