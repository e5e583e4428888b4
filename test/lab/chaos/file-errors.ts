/** Writes, syncs and renames that fail: no acknowledgement after a failure, nothing lost of those before it. */
import type { AppendFile, FileLayer } from "../../../src/kit/files/file-layer.ts";
import { counters } from "../../contract/store-fixtures.ts";
import { FaultyFiles, type FileOperation, withDurableAppend } from "../../store/faulty-files.ts";
import { open } from "../../store/journal/journal-harness.ts";
import { ADMIN_TOKEN } from "../../shop/kill-load.ts";
import { type ChaosCase, type Found, type Surroundings, pause, toSeconds, waitFor } from "./case.ts";
import { ask } from "./requests.ts";
import { createSubject } from "./subject.ts";
import { createTraffic, toFound } from "./traffic.ts";

const HEAL_LIMIT_MS = 40_000;
/** Longer than the pause before the first try to heal. */
const RENAME_MS = 1_600;
const OPERATIONS: readonly FileOperation[] = [
  "append",
  "datasync",
  "rename",
  "syncFolder",
  "open",
  "truncate",
];

const tryWrite = (url: string): ReturnType<typeof ask> =>
  ask(`${url}/api/admin/products`, {
    method: "POST",
    headers: { "x-admin-token": ADMIN_TOKEN },
    body: { title: "Fault", price: 1, status: "draft", deliveryType: "manual" },
  });

async function failPrograms(around: Surroundings): Promise<Found> {
  const services = ["monitor", "auth", "shop"] as const;
  const subject = await createSubject(around, { services, isFragile: true });
  let life = await subject.start();
  const traffic = createTraffic(subject, services);
  await traffic.prepare();
  traffic.start();
  const problems: string[] = [];
  const rounds = around.rounds(1, 3);
  let healedMs = 0;
  const isRefused = async (): Promise<boolean> => (await tryWrite(subject.url("shop"))).status === 503;
  for (let n = 0; n < rounds; n += 1) {
    await pause(800);
    subject.harm({ syncError: n % 2 === 0 ? "EIO" : "ENOSPC" });
    if ((await waitFor(isRefused, { limitMs: around.within(10_000) })) === undefined)
      problems.push("a write was acknowledged though syncs fail");
    if ((await ask(`${subject.url("shop")}/api/products`)).status !== 200)
      problems.push("a read was refused");
    // The disk syncs again; a store heals by a new snapshot, which now cannot be put in its place.
    subject.harm({ renameError: "EIO" });
    await pause(RENAME_MS);
    // What is imported by name cannot be harmed on Deno.
    if (!around.isDeno && !(await isRefused())) problems.push("healed though renames fail");
    subject.harm({});
    for (const service of services) {
      const isWell = async (): Promise<boolean> =>
        (await ask(`${subject.url(service)}/api/health`)).status === 200;
      const tookMs = await waitFor(isWell, { limitMs: around.within(HEAL_LIMIT_MS) });
      if (tookMs === undefined) problems.push(`${service} did not heal`);
      healedMs = Math.max(healedMs, tookMs ?? 0);
    }
  }
  await pause(1_000);
  await life.kill();
  life = await subject.start();
  await pause(1_000);
  await traffic.stop();
  const books = await traffic.audit();
  problems.push(...books.problems);
  return {
    isKept: problems.length === 0,
    done: `${rounds} times failing syncs, then renames, under load, then a kill`,
    acknowledged: books.acknowledged,
    found: `${toFound(problems)}; healed ${toSeconds(healedMs)} after`,
  };
}

/** A disk that says "synced" when it is not. */
function toLiar(files: FaultyFiles): FileLayer {
  const layer: FileLayer = {
    openAppend: async (path, options): Promise<AppendFile> => {
      const file = await files.openAppend(path, options);
      return withDurableAppend({ ...file, path, datasync: () => Promise.resolve() });
    },
    readChunks: (path) => files.readChunks(path),
    openRead: (path) => files.openRead(path),
    readRange: (path, range) => files.readRange(path, range),
    sizeBytes: (path) => files.sizeBytes(path),
    rename: (from, to) => files.rename(from, to),
    remove: (path) => files.remove(path),
    list: (folder) => files.list(folder),
    makeFolder: () => files.makeFolder(),
    syncFolder: (path) => files.syncFolder(path),
  };
  return layer;
}

/** A life of the store on a disk where operations fail at random, until the power is cut; gives what was acknowledged. */
async function live(around: Surroundings, files: FaultyFiles, layer: FileLayer): Promise<number> {
  let acknowledged = 0;
  try {
    const options = { compactAtBytes: 900, ...(layer === files ? {} : { files: layer }) };
    const store = await open(files, options);
    await store.transact((tx) => tx.insert(counters, { id: "n", value: 0 }));
    for (let n = 0; n < 60; n += 1) {
      if (around.random() < 0.15) {
        const operation = OPERATIONS[Math.floor(around.random() * OPERATIONS.length)] ?? "append";
        files.fail({ operation, code: around.random() < 0.5 ? "EIO" : "ENOSPC", shortBy: "half" });
      }
      const writes = [1, 2, 3].map(async () => {
        await store.transact((tx) => tx.adjust(counters, "n", { field: "value", by: 1 }));
        acknowledged += 1;
      });
      await Promise.allSettled(writes);
    }
  } catch {
    // It may fail to open, too; and the life ends with the power.
  }
  return acknowledged;
}

/** 0 also when the store refuses what the cut left: then all is lost. */
async function readCounter(files: FaultyFiles): Promise<number> {
  try {
    const store = await open(files);
    const counter = await store.read((tx) => tx.get(counters, "n"));
    await store.close();
    return counter?.value ?? 0;
  } catch {
    return 0;
  }
}

async function failStore(around: Surroundings, isLiar: boolean): Promise<Found> {
  const rounds = around.rounds(20, 200);
  let acknowledged = 0;
  let lost = 0;
  for (let n = 0; n < rounds; n += 1) {
    const files = new FaultyFiles();
    const inLife = await live(around, files, isLiar ? toLiar(files) : files);
    files.powerCutAfter = files.operations;
    const found = await readCounter(files.afterPowerCut());
    acknowledged += inLife;
    lost += Math.max(0, inLife - found);
  }
  return {
    isKept: lost === 0 && acknowledged > 0,
    done: `${rounds} lives with failing writes, syncs and renames, each ended by a power cut`,
    acknowledged: `${acknowledged} changes`,
    found: `${lost} lost`,
  };
}

/** See the module's header. */
export const fileErrors: ChaosCase = {
  name: "file-errors",
  promise: "Failing writes, syncs, renames: no acknowledgement after the failure, reads go on, heals",
  parts: [
    { name: "all services", run: failPrograms },
    { name: "JSON store, simulated disk", run: (around) => failStore(around, false) },
    { name: "a disk that lies about syncs", isControl: true, run: (around) => failStore(around, true) },
  ],
};
