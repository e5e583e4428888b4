/** Single bits of data files turn over: the start names what is wrong, or nothing is missing; it never starts on other data. */
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { textOf } from "../../../src/kit/thrown.ts";
import { createKillLoad } from "../../shop/kill-load.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import type { Collection, Store } from "../../../src/store/store.ts";
import { listAll } from "../../shop/race-checks.ts";
import { type ChaosCase, type Found, type Surroundings, pause } from "./case.ts";
import { createSubject } from "./subject.ts";
import { createTraffic } from "./traffic.ts";

/** Turns one bit of a file over; says which. */
async function flipBit(path: string, random: () => number): Promise<{ byte: number; size: number }> {
  const bytes = await readFile(path);
  const byte = Math.floor(random() * bytes.byteLength);
  bytes[byte] = (bytes[byte] ?? 0) ^ (1 << Math.floor(random() * 8));
  await writeFile(path, bytes);
  return { byte, size: bytes.byteLength };
}

const collections: readonly Collection[] = shopCollections;

/** All records of a store, as one text that is the same for the same records. */
async function dump(store: Store): Promise<Map<string, string>> {
  const records = new Map<string, string>();
  await store.read(async (tx) => {
    for (const collection of collections)
      for (const record of await listAll(tx, collection))
        records.set(`${collection.name}/${record.id}`, JSON.stringify(record));
  });
  return records;
}

const open = (folder: string): Promise<Store> =>
  openJournalStore({ folder, name: "shop", collections: shopCollections, log: silentLog });

/** How a damaged folder was met. */
type Verdict = "refused" | "whole" | "last batch dropped";

/** Opens a damaged folder. @throws Error when what it gives is neither a clear refusal nor the data */
async function judge(folder: string, whole: ReadonlyMap<string, string>, name: string): Promise<Verdict> {
  let store: Store;
  try {
    store = await open(folder);
  } catch (error) {
    const text = textOf(error);
    if (!text.includes(name)) throw new Error(`refused without the file's name: ${text}`, { cause: error });
    if (!/backup|restore|remove|repair/iu.test(text))
      throw new Error(`refused without a remedy: ${text}`, { cause: error });
    return "refused";
  }
  try {
    const found = await dump(store);
    const missing = [...whole].filter(([id, record]) => found.get(id) !== record).length;
    if (missing === 0 && found.size === whole.size) return "whole";
    // The end of the journal may be taken for a write that the power cut off: a batch, never more.
    if (missing <= 60 && found.size > 0.5 * whole.size && !name.endsWith(".json"))
      return "last batch dropped";
    throw new Error(`starts with ${missing} of ${whole.size} records changed or missing`);
  } finally {
    await store.close();
  }
}

/** A folder as a kill under load leaves it: a snapshot and a journal. */
async function makeFolder(around: Surroundings): Promise<{ folder: string; parent: string }> {
  const subject = await createSubject(around, { services: ["shop"] });
  let life = await subject.start();
  const load = createKillLoad({ buyers: 2, most: 300 });
  await load.prepare(subject.url("shop"));
  // The first stop leaves all in the snapshot, the kill the rest in a journal.
  await life.terminate();
  life = await subject.start();
  const endMs = performance.now() + 1_500;
  await load.go(subject.url("shop"), () => performance.now() > endMs);
  await life.kill();
  const parent = await mkdtemp(join(tmpdir(), "trivet-flips-"));
  around.onEnd(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, "whole");
  await cp(join(subject.dataDir, "shop"), folder, { recursive: true });
  await rm(join(folder, "shop.lock"), { force: true });
  return { folder, parent };
}

async function flipStore(around: Surroundings): Promise<Found> {
  const { folder, parent } = await makeFolder(around);
  const trial = join(parent, "trial");
  await cp(folder, trial, { recursive: true });
  const store = await open(trial);
  const whole = await dump(store);
  await store.close();
  const names = (await readdir(folder)).filter((name) => /\.(?:json|journal)$/u.test(name));
  const flips = around.rounds(20, 200);
  const counts: Record<Verdict, number> = { refused: 0, whole: 0, "last batch dropped": 0 };
  const problems: string[] = [];
  for (let n = 0; n < flips; n += 1) {
    await rm(trial, { recursive: true, force: true });
    await cp(folder, trial, { recursive: true });
    const name = names[n % names.length] ?? "";
    const { byte, size } = await flipBit(join(trial, name), around.random);
    try {
      counts[await judge(trial, whole, name)] += 1;
    } catch (error) {
      problems.push(`${name}, byte ${byte} of ${size}: ${textOf(error)}`);
    }
  }
  return {
    isKept: problems.length === 0 && counts.refused > 0,
    done: `${flips} bits turned over in ${names.join(", ")}`,
    acknowledged: `${whole.size} records`,
    found:
      problems.length > 0
        ? `${problems.length} wrong: ${problems.slice(0, 2).join("; ")}`
        : Object.entries(counts)
            .map(([verdict, count]) => `${count} ${verdict}`)
            .join(", "),
  };
}

/** The monitor's own files: rows of reports. Durable rows are refused when damaged; what was never synced may go. */
async function flipSamples(around: Surroundings): Promise<Found> {
  const subject = await createSubject(around, { services: ["monitor"] });
  let life = await subject.start();
  const traffic = createTraffic(subject, ["monitor"]);
  await traffic.prepare();
  traffic.start();
  await pause(2_500);
  await traffic.stop();
  const { acknowledged } = await traffic.audit();
  await life.kill();
  const parent = await mkdtemp(join(tmpdir(), "trivet-flips-"));
  around.onEnd(() => rm(parent, { recursive: true, force: true }));
  const kept = join(parent, "kept");
  await cp(subject.dataDir, kept, { recursive: true });
  const flips = around.rounds(2, 10);
  const problems: string[] = [];
  let refused = 0;
  let whole = 0;
  for (let n = 0; n < flips; n += 1) {
    await rm(subject.dataDir, { recursive: true });
    await cp(kept, subject.dataDir, { recursive: true });
    const folder = join(subject.dataDir, "monitor", "samples");
    const [name = ""] = (await readdir(folder)).filter((entry) => entry.endsWith(".samples"));
    const { byte, size } = await flipBit(join(folder, name), around.random);
    try {
      life = await subject.start();
      const { problems: found } = await traffic.audit();
      // Only the end may go: as much as one sync held.
      if (found.length > 0 && byte < size * 0.9)
        problems.push(`byte ${byte} of ${size}: ${found.join(", ")}`);
      whole += 1;
      await life.kill();
    } catch (error) {
      const text = textOf(error);
      if (!text.includes(basename(name))) problems.push(`byte ${byte} of ${size}: ${text.slice(0, 300)}`);
      refused += 1;
    }
  }
  return {
    isKept: problems.length === 0,
    done: `${flips} bits turned over in the rows of reports`,
    acknowledged,
    found:
      problems.length > 0
        ? problems.slice(0, 2).join("; ")
        : `${refused} starts refused, naming the file; ${whole} whole`,
  };
}

async function flipCareless(around: Surroundings): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-flips-"));
  around.onEnd(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "plain.json");
  const orders = Array.from({ length: 200 }, (_, n) => ({ id: `ord_${n}`, amountPaid: 1_000 + n }));
  const text = JSON.stringify({ orders });
  let changed = 0;
  const flips = around.rounds(20, 200);
  for (let n = 0; n < flips; n += 1) {
    await writeFile(path, text);
    await flipBit(path, around.random);
    try {
      // What lowdb's JSONFile does.
      if (JSON.stringify(JSON.parse(await readFile(path, "utf8"))) !== text) changed += 1;
    } catch {
      // Refused, though without a word on what to do.
    }
  }
  return {
    isKept: changed === 0,
    done: `${flips} bits turned over in a JSON file`,
    acknowledged: "200 records",
    found: `${changed} starts on changed data`,
  };
}

/** See the module's header. */
export const corrupt: ChaosCase = {
  name: "corrupt",
  promise: "Corrupt file: refuses the start and names file and remedy; never starts empty or on changed data",
  parts: [
    { name: "snapshot and journal", run: flipStore },
    { name: "monitor's rows of reports", isLong: true, run: flipSamples },
    { name: "a JSON file without a checksum", isControl: true, run: flipCareless },
  ],
};
