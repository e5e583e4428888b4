/** The lock file: one process a data folder. */
import { clearInterval, setInterval, setTimeout } from "node:timers";
import { codeOf } from "../../kit/thrown.ts";
import type { AppendFile, FileLayer } from "../../kit/files/file-layer.ts";
import { StoreError } from "../store.ts";
import { type ProcessIdentity, isRunning, readOwnIdentity } from "./process-identity.ts";
import { readWhole } from "./recovery.ts";

export interface LockOptions {
  readonly files: FileLayer;
  readonly folder: string;
  readonly name: string;
  /** For tests: who this process is. */
  readonly identity?: ProcessIdentity;
  /** For tests: how long an owner that cannot be identified is watched for a heartbeat. */
  readonly watchMs?: number;
}

const BEAT_MS = 500;
/** Beats in the file before it is cut back. */
const MAX_BEATS = 64;
const WATCH_MS = 2500;

/** The owner's identity as text. Behind it are heartbeats, of which a power cut may leave zeros. */
function firstLine(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).split("\n")[0] ?? "";
}

function parseIdentity(bytes: Uint8Array): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(firstLine(bytes));
    if (typeof value !== "object" || value === null) return undefined;
    const pid: unknown = Reflect.get(value, "pid");
    if (typeof pid !== "number") return undefined;
    const texts = ["bootId", "namespace", "startTicks"].map((key): [string, unknown] => [
      key,
      Reflect.get(value, key),
    ]);
    return { pid, ...Object.fromEntries(texts.filter(([, text]) => typeof text === "string")) };
  } catch {
    return undefined; // its writer was killed while writing it
  }
}

async function tryCreate(
  files: FileLayer,
  path: string,
  content: Uint8Array,
): Promise<AppendFile | undefined> {
  let file: AppendFile;
  try {
    file = await files.openAppend(path, { exclusive: true });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return undefined;
    throw error;
  }
  try {
    await file.append(content);
    // A lock that a power cut left empty would have to be watched at the next start.
    await file.datasync().catch(() => undefined);
    return file;
  } catch (error) {
    await file.close().catch(() => undefined);
    await files.remove(path).catch(() => undefined);
    throw error;
  }
}

async function hasHeartbeat(files: FileLayer, path: string, watchMs: number): Promise<boolean> {
  const before = await files.sizeBytes(path);
  for (let waited = 0; waited < watchMs; waited += BEAT_MS / 2) {
    await new Promise<void>((resolve) => void setTimeout(resolve, BEAT_MS / 2));
    if ((await files.sizeBytes(path)) !== before) return true;
  }
  return false;
}

/** The live owner of the lock, or undefined when it is dead. */
async function findOwner(
  options: LockOptions,
  path: string,
  own: ProcessIdentity,
): Promise<ProcessIdentity | undefined> {
  const bytes = await readWhole(options.files, path);
  const owner = bytes && parseIdentity(bytes);
  const running = owner === undefined ? "unknown" : await isRunning(owner, own);
  if (running === false) return undefined;
  if (running === true) return owner;
  const alive = bytes !== undefined && (await hasHeartbeat(options.files, path, options.watchMs ?? WATCH_MS));
  return alive ? (owner ?? { pid: 0 }) : undefined;
}

/**
 * Moves a dead owner's lock away. Between the judgement and the move another process may have done the
 * same and taken the lock; then what was moved is a live lock, and goes back.
 */
async function removeStale(
  files: FileLayer,
  path: string,
  judged: { own: ProcessIdentity; text: string },
): Promise<void> {
  const aside = `${path}.${judged.own.pid}.stale`;
  try {
    await files.rename(path, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  if ((await readFirstLine(files, aside)) === judged.text) await files.remove(aside);
  else await files.rename(aside, path);
}

async function readFirstLine(files: FileLayer, path: string): Promise<string> {
  return firstLine((await readWhole(files, path)) ?? new Uint8Array(0));
}

function startBeating(file: AppendFile, sizeBytes: number): () => Promise<void> {
  let beats = 0;
  let beating = Promise.resolve();
  const beat = async (): Promise<void> => {
    beats = (beats + 1) % MAX_BEATS;
    // A heartbeat may fail on a full disk; the lock remains valid.
    await (beats === 0 ? file.truncate(sizeBytes) : file.append(Buffer.from("\n"))).catch(() => undefined);
  };
  const timer = setInterval(() => {
    beating = beating.then(beat);
  }, BEAT_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await beating;
    await file.close();
  };
}

/**
 * Acquires the lock `<folder>/<name>.lock`.
 * @throws StoreError `store_unavailable` when a live process has it
 */
export async function takeLock(options: LockOptions) {
  const { files, folder } = options;
  const path = `${folder}/${options.name}.lock`;
  const own = options.identity ?? (await readOwnIdentity());
  const content = Buffer.from(`${JSON.stringify(own)}\n`);
  for (let tries = 0; tries < 3; tries += 1) {
    const file = await tryCreate(files, path, content);
    if (file !== undefined) {
      const stop = startBeating(file, content.byteLength);
      return {
        async release(): Promise<void> {
          await stop();
          await files.remove(path);
        },
      };
    }
    const text = await readFirstLine(files, path);
    const owner = await findOwner(options, path, own);
    if (owner !== undefined) throw inUse(folder, owner.pid);
    await removeStale(files, path, { own, text });
  }
  throw inUse(folder, 0);
}

export type Lock = Awaited<ReturnType<typeof takeLock>>;

function inUse(folder: string, pid: number): StoreError {
  const who = pid === 0 ? "another process" : `process ${pid}`;
  return new StoreError(
    "store_unavailable",
    `The data folder "${folder}" is in use by ${who}. Stop it first`,
  );
}
