/** Opens what the monitor keeps on disk or in the database, and makes the monitor over it. Hidden here: their order. */
import { newId } from "../kit/id.ts";
import type { Log } from "../kit/log.ts";
import { metricKinds } from "../monitor/metric-names.ts";
import type { Monitor } from "../monitor/monitor.ts";
import { createMonitor } from "../monitor/monitor.ts";
import { monitorCollections } from "../monitor/records.ts";
import { createSettings } from "../monitor/settings.ts";
import { openSampleLog } from "../store/samples/file-sample-log.ts";
import { openNotifyDeps } from "./monitor-notices.ts";
import type { ServiceContext } from "./service.ts";
import { openStore } from "./storage.ts";

export interface OpenedMonitor {
  readonly monitor: Monitor;
  /** Writes what is left and closes everything; the monitor cannot be used any more. */
  readonly close: () => Promise<void>;
}

/** Brings the store up to date at the end; what it refuses is in the checkpoint of the sample log. */
async function flushDayBook(monitor: Monitor, log: Log): Promise<void> {
  await monitor.dayBook
    .flush()
    .catch((error: unknown) => log.warn("The day book could not be written", { error }));
}

/** Opens the store and the sample log below the data folder; what was opened is closed again when the rest fails. */
export async function openMonitor(context: ServiceContext): Promise<OpenedMonitor> {
  const { config, clock, log } = context;
  const folder = `${config.dataDir}/monitor`;
  const store = await openStore(context, { name: "monitor", collections: monitorCollections });
  try {
    // After the store's lock: of two first starts at once, only the one that goes on may make the secret.
    const { notify, close: closeNotify } = await openNotifyDeps(context);
    const { rawRetentionMinutes } = await createSettings({ store, clock }).read();
    // The log asks for what to keep in its checkpoint long after the monitor was made over it.
    const made: { monitor?: Monitor } = {};
    const samples = await openSampleLog({
      folder: `${folder}/samples`,
      columns: metricKinds,
      // A little longer than the raw charts reach, which are rebuilt from it.
      retainMs: (rawRetentionMinutes + 1) * 60_000,
      clock,
      checkpoint: () => made.monitor?.ingest.checkpoint() ?? [],
      log,
    });
    const monitor = await createMonitor({
      store,
      samples,
      clock,
      log,
      notify,
      tokenHashes: context.tokenHashes,
      instance: newId("run").slice(-8),
    });
    made.monitor = monitor;
    const close = async (): Promise<void> => {
      await monitor.notices.close();
      closeNotify();
      await flushDayBook(monitor, log);
      await samples.close();
      await store.close();
    };
    return { monitor, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}
