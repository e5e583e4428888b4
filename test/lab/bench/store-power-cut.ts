/** Simulated power cuts: how many acknowledged changes are gone afterwards, in the JSON store and in plain lowdb. */
import { type Adapter, Low } from "lowdb";
import { z } from "zod";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { readWhole } from "../../../src/store/journal/recovery.ts";
import { defineCollection } from "../../../src/store/store.ts";
import { createRandom, FaultyFiles } from "../../store/faulty-files.ts";
import type { BenchRow } from "./measure.ts";

const counters = defineCollection({
  name: "counters",
  revision: 1,
  schema: z.object({ id: z.string(), version: z.number(), value: z.number() }),
});

interface Outcome {
  readonly acknowledged: number;
  readonly lost: number;
}

type Life = (files: FaultyFiles, acknowledge: () => void) => Promise<void>;

let boots = 0;

const openOurs = (files: FaultyFiles): ReturnType<typeof openJournalStore> => {
  boots += 1;
  const lock = { watchMs: 0, identity: { pid: 1, bootId: `boot ${boots}` } };
  return openJournalStore({
    folder: "/d",
    name: "n",
    collections: [counters],
    files,
    lock,
    compactAtBytes: 5000,
  });
};

const ours: Life = async (files, acknowledge) => {
  const store = await openOurs(files);
  await store.transact((tx) => tx.insert(counters, { id: "n", value: 0 }));
  const count = async (): Promise<void> => {
    for (let i = 0; i < 50; i += 1) {
      await store.transact((tx) => tx.adjust(counters, "n", { field: "value", by: 1 }));
      acknowledge();
    }
  };
  await Promise.all(Array.from({ length: 16 }, count));
};

async function readOurs(files: FaultyFiles): Promise<number> {
  const store = await openOurs(files);
  const counter = await store.read((tx) => tx.get(counters, "n"));
  await store.close();
  return counter?.value ?? 0;
}

/** The steps of lowdb's own JSONFile: a temporary file, then a rename; it syncs neither. */
function toPlainAdapter(files: FaultyFiles): Adapter<{ value: number }> {
  return {
    read: () => Promise.resolve(null),
    write: async (data) => {
      const file = await files.openAppend("/d/.lowdb.json.tmp", { truncate: true });
      await file.append(Buffer.from(JSON.stringify(data)));
      await file.close();
      await files.rename("/d/.lowdb.json.tmp", "/d/lowdb.json");
    },
  };
}

const plain: Life = async (files, acknowledge) => {
  const db = new Low(toPlainAdapter(files), { value: 0 });
  for (let i = 0; i < 800; i += 1) {
    await db.update((data) => (data.value += 1));
    acknowledge();
  }
};

async function readPlain(files: FaultyFiles): Promise<number> {
  const bytes = await readWhole(files, "/d/lowdb.json");
  if (bytes === undefined || bytes.byteLength === 0) return 0;
  const value: unknown = Reflect.get(Object(JSON.parse(bytes.toString("utf8"))), "value");
  return Number(value);
}

async function cutOften(
  cuts: number,
  life: Life,
  read: (files: FaultyFiles) => Promise<number>,
): Promise<Outcome> {
  const random = createRandom(7);
  let acknowledged = 0;
  let lost = 0;
  for (let cut = 0; cut < cuts; cut += 1) {
    const files = new FaultyFiles();
    files.powerCutAfter = 20 + Math.floor(random() * 180);
    let inLife = 0;
    // The power cut ends the life with an error.
    await life(files, () => (inLife += 1)).catch(() => undefined);
    acknowledged += inLife;
    lost += Math.max(0, inLife - (await read(files.afterPowerCut())));
  }
  return { acknowledged, lost };
}

/** Lost changes per 100 acknowledged. */
export async function measurePowerCuts(cuts: number): Promise<BenchRow> {
  const a = await cutOften(cuts, ours, readOurs);
  const b = await cutOften(cuts, plain, readPlain);
  return {
    name: `store: acknowledged changes lost in ${cuts} power cuts`,
    unit: "%",
    ours: (a.lost / a.acknowledged) * 100,
    other: { name: "plain lowdb", value: (b.lost / b.acknowledged) * 100 },
    target: "0",
    isReached: a.lost === 0,
    note: `${a.lost} of ${a.acknowledged}; plain lowdb ${b.lost} of ${b.acknowledged}`,
  };
}
