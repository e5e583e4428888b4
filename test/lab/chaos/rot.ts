/**
 * One bit turns over in each file of a running program's folder: a read, the scrub, the stop, the next start or the check
 * tells of it, and nothing writes it under a new checksum.
 */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import type { ServiceName } from "../../../src/kit/services.ts";
import { textOf } from "../../../src/kit/thrown.ts";
import { ADMIN_TOKEN } from "../../shop/kill-load.ts";
import { type ChaosCase, type Found, type Surroundings, NotPossible, judge, pause, waitFor } from "./case.ts";
import type { Faults } from "./faults-preload.ts";
import { ask, textAt } from "./requests.ts";
import { type Stage, type Trial, listEvery, stages, toKind, tryFile, tryTogether } from "./rot-trial.ts";
import { createSubject } from "./subject.ts";
import { createTraffic } from "./traffic.ts";
import { startUploads } from "./uploads.ts";

const SERVICES: readonly ServiceName[] = ["monitor", "auth", "shop"];
const LOAD_MS = 2_500;

/** The program replaces these all the time by what it knows: owners of folders, and notes of the last hours for the doctor. */
const IS_REPLACED = /\.lock$|-observed\.json$/u;
/** Files under temporary names, as a kill leaves them; they are never read. */
const IS_LEFT = /\.(?:new|tmp)$/u;
/** Pictures, parts of files and smaller sizes are all read alike: the trial takes this many of each. */
const MOST_ALIKE = 3;
/** What the control tries: files that only a CRC-32 protects. */
const IS_SUMMED = /^shop\/shop\.json$|^monitor\/monitor\.json$|\.samples$|\/origin$/u;
const CONTROL_BITS = 2;

/** A folder as it lies on a disk at work. */
interface Made {
  readonly kept: string;
  /** The administrator token that the program made. */
  readonly token: string;
  /** Paths of the shop that read its pictures. */
  readonly pictures: readonly string[];
  readonly acknowledged: string;
  readonly madeAtMs: number;
}

/** A picture in two sizes, one of which the shop makes. */
async function addPictures(url: string): Promise<string[]> {
  const headers = { "x-admin-token": ADMIN_TOKEN };
  const create = { width: 1_200, height: 800, channels: 3, background: "#0d6b5c" } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  const body = { title: "Picture", price: 500, status: "published", stockMode: "unlimited" };
  const added = await ask(`${url}/api/admin/products`, { method: "POST", headers, body });
  const product = textAt(added.json, "id");
  const sent = await fetch(`${url}/api/admin/products/${product}/images`, {
    method: "POST",
    headers: { ...headers, "content-type": "image/png" },
    body: new Uint8Array(bytes),
  });
  const [, hash] = /"([0-9a-f]{64})"/u.exec(await sent.text()) ?? [];
  if (hash === undefined) throw new Error(`the shop took no picture: ${sent.status}`);
  const paths = [`/api/images/${hash}`, `/api/images/${hash}?w=320`];
  for (const path of paths) await ask(url + path);
  return paths;
}

/** Snapshots, journals, segments, history, pictures, sealing keys, and a token that the program made. */
async function makeFolder(around: Surroundings, faults: Faults): Promise<Made> {
  const loaded = await createSubject(around, { services: SERVICES, isFragile: true });
  loaded.harm(faults);
  let life = await loaded.start();
  const traffic = createTraffic(loaded, SERVICES);
  await traffic.prepare();
  traffic.start();
  const uploads = startUploads(loaded.url("shop"));
  await waitFor(() => uploads.counts().files > 1, { limitMs: around.within(30_000) });
  // Few: the scrub reads all of them at its own pace, once for each bit.
  await uploads.stop();
  const pictures = await addPictures(loaded.url("shop"));
  await pause(LOAD_MS);
  // The first stop leaves all in snapshots, the kill the rest in journals.
  await life.terminate();
  life = await loaded.start();
  await pause(LOAD_MS);
  await traffic.stop();
  const { acknowledged } = await traffic.audit();
  await life.kill();
  const made = await createSubject(around, {
    services: SERVICES,
    isFragile: true,
    env: { ADMIN_TOKEN: "", DATA_DIR: loaded.dataDir },
  });
  made.harm(faults);
  life = await made.start();
  const token = (await readFile(join(loaded.dataDir, "first-admin-token"), "utf8").catch(() => "")).trim();
  await life.kill();
  const parent = await mkdtemp(join(tmpdir(), "trivet-rot-"));
  around.onEnd(() => rm(parent, { recursive: true, force: true }));
  const kept = join(parent, "kept");
  await cp(loaded.dataDir, kept, { recursive: true });
  return { kept, token, pictures, acknowledged, madeAtMs: Date.now() };
}

/** The files that are tried. */
function pick(files: readonly string[]): string[] {
  const alike = new Map<string, number>();
  return files.filter((file) => {
    if (IS_REPLACED.test(file) || IS_LEFT.test(file)) return false;
    const [folder] = /^shop\/(?:blobs|sizes)\//u.exec(file) ?? [];
    if (folder === undefined) return true;
    alike.set(folder, (alike.get(folder) ?? 0) + 1);
    return (alike.get(folder) ?? 0) <= MOST_ALIKE;
  });
}

/** Where the bits of each kind of file were detected. */
function createTable() {
  const kinds = new Map<string, { bits: number; counts: Map<string, number> }>();
  return {
    add: (file: string, told: readonly string[]): void => {
      const kind = toKind(file);
      const row = kinds.get(kind) ?? { bits: 0, counts: new Map<string, number>() };
      row.bits += 1;
      for (const one of told) row.counts.set(one, (row.counts.get(one) ?? 0) + 1);
      kinds.set(kind, row);
    },
    sum: (column: string): number =>
      [...kinds.values()].reduce((sum, { counts }) => sum + (counts.get(column) ?? 0), 0),
    kinds: (): number => kinds.size,
    toText: (): string => {
      const columns = [...stages, "nowhere"];
      const lines = [...kinds]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([kind, { bits, counts }]) =>
          [kind, bits, ...columns.map((column) => counts.get(column) ?? 0)].join(" | "),
        );
      return [`| ${["file", "bits", ...columns].join(" | ")} |`, ...lines.map((line) => `| ${line} |`)].join(
        "\n",
      );
    },
  };
}

interface Turning {
  readonly faults: Faults;
  /** Which of the picked files are tried, and how many bits of each. */
  readonly choose: (files: readonly string[]) => readonly string[];
  readonly bits: number;
  /** Whether bits are first turned in all files at once. */
  readonly isTogether: boolean;
}

async function turnAll(around: Surroundings, turning: Turning): Promise<Found> {
  const { faults, choose, bits, isTogether } = turning;
  const { kept, token, pictures, acknowledged, madeAtMs } = await makeFolder(around, faults);
  const subject = await createSubject(around, {
    services: SERVICES,
    isFragile: true,
    env: { ADMIN_TOKEN: "", DATA_DIR: kept.replace(/kept$/u, "data") },
  });
  const trial: Trial = { around, subject, services: SERVICES, token, pictures, faults, madeAtMs };
  const files = choose(pick(await listEvery(kept))).flatMap((file) =>
    Array.from({ length: bits }, () => file),
  );
  const table = createTable();
  const problems: string[] = [];
  const note = (file: string, told: ReadonlySet<Stage>): void => {
    table.add(file, [...told]);
    console.error(`  ${file}: ${[...told].join(", ")}`);
  };
  const renew = async (): Promise<void> => {
    await rm(subject.dataDir, { recursive: true, force: true });
    await cp(kept, subject.dataDir, { recursive: true });
  };
  await renew();
  const together = isTogether ? await tryTogether(trial, files) : new Map<string, ReadonlySet<Stage>>();
  for (const [file, told] of together) note(file, told);
  for (const file of files.filter((one) => !together.has(one))) {
    await renew();
    try {
      note(file, await tryFile(trial, file));
    } catch (error) {
      table.add(file, ["nowhere"]);
      problems.push(`${file}: ${textOf(error)}`);
      console.error(`  ${file}: ${textOf(error)}`);
    }
  }
  console.error(table.toText());
  return judge(
    problems.length > 3 ? [`${problems.length} of ${files.length} not told`, ...problems] : problems,
    {
      done: `${files.length} bits turned over in ${table.kinds()} kinds of files while all services ran`,
      acknowledged,
      found: `all told: ${stages
        .filter((stage) => table.sum(stage) > 0)
        .map((stage) => `${table.sum(stage)} at the ${stage}`)
        .join(", ")}`,
    },
  );
}

/** Of a quick run: a bit in each file at once; only what the pass over them does not tell is tried alone. */
const turnEach = (around: Surroundings): Promise<Found> =>
  turnAll(around, {
    faults: {},
    choose: (files) => files,
    bits: around.rounds(1, 3),
    isTogether: around.isQuick,
  });

/** The same program without its CRC-32: the sums in its files and those that it compares are all 0. */
function turnUnsummed(around: Surroundings): Promise<Found> {
  if (around.isDeno) throw new NotPossible("Deno lets nobody replace node:zlib's crc32");
  return turnAll(around, {
    faults: { isUnsummed: true },
    choose: (files) => {
      const summed = files.filter((file) => IS_SUMMED.test(file));
      return summed.filter((file, at) => summed.findIndex((one) => toKind(one) === toKind(file)) === at);
    },
    bits: CONTROL_BITS,
    isTogether: false,
  });
}

/** See the module's header. */
export const rot: ChaosCase = {
  name: "rot",
  promise: "A bit that turns over in any file of a running program is told, and gets no new checksum",
  parts: [
    { name: "every file", run: turnEach, limitSeconds: 1_800 },
    { name: "checksums switched off", isControl: true, run: turnUnsummed, limitSeconds: 600 },
  ],
};
