/** Pictures as files, `<first two digits>/<hash>` below one folder. */
import { newId } from "../../kit/secrets/id.ts";
import type { Blobs } from "../base/blobs.ts";
import type { FileLayer } from "../../kit/files/file-layer.ts";
import { type Clock, systemClock } from "../../kit/time/clock.ts";
import { StoreError } from "../../store/store.ts";
import { HELD, isHeld } from "./held-blobs.ts";

const HASH = /^[0-9a-f]{64}$/u;

/** Where a picture lies. */
interface Place {
  readonly folder: string;
  readonly path: string;
}

function toPlace(folder: string, hash: string): Place {
  // Names come from addresses: anything else could lead out of the folder.
  if (!HASH.test(hash))
    throw new RangeError("The name of an image must be the SHA-256 of its bytes in hexadecimal");
  const below = `${folder}/${hash.slice(0, 2)}`;
  return { folder: below, path: `${below}/${hash}` };
}

async function writeWhole(files: FileLayer, { folder, path }: Place, bytes: Uint8Array): Promise<void> {
  // A unique name: two processes may store the same picture at once.
  const partial = `${folder}/${newId("new")}`;
  let renamed = false;
  try {
    const file = await files.openAppend(partial, { exclusive: true });
    try {
      await file.append(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    await files.rename(partial, path);
    renamed = true;
    await files.syncFolder(folder);
  } catch (error) {
    // A name that may not survive a power cut must not count as kept the next time.
    await files.remove(renamed ? path : partial).catch(() => undefined);
    throw error;
  }
}

async function readWhole(files: FileLayer, path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const size = await files.sizeBytes(path);
  const chunks = size === undefined ? undefined : await files.readChunks(path);
  if (size === undefined || chunks === undefined) return undefined;
  const bytes = new Uint8Array(size);
  let at = 0;
  for await (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Creates the adapter over `folder`, which is made when the first picture comes. Its errors are StoreError `store_unavailable`. */
export function createBlobFolder(
  files: FileLayer,
  folder: string,
  clock: Pick<Clock, "now"> = systemClock,
): Blobs {
  /** Pictures that are being written: the same one is written once. */
  const writing = new Map<string, Promise<void>>();
  /** Folders whose own names survive a power cut. */
  const ready = new Map<string, Promise<void>>();

  async function prepare(below: string): Promise<void> {
    await files.makeFolder(below);
    await files.syncFolder(folder);
    await files.syncFolder(`${folder}/..`);
  }

  /** Once per folder and process; concurrent callers wait for it. */
  function prepareOnce(below: string): Promise<void> {
    const known = ready.get(below);
    if (known !== undefined) return known;
    const work = prepare(below).catch((error: unknown) => {
      ready.delete(below);
      throw error;
    });
    ready.set(below, work);
    return work;
  }

  async function keep(hash: string, bytes: Uint8Array): Promise<void> {
    const place = toPlace(folder, hash);
    try {
      await prepareOnce(place.folder);
      if ((await files.sizeBytes(place.path)) === bytes.length) return;
      await writeWhole(files, place, bytes);
    } catch (cause) {
      throw new StoreError("store_unavailable", "The image could not be written", { cause });
    }
  }

  async function removeOrHold(path: string): Promise<void> {
    if (!(await isHeld(files, folder, clock))) await files.remove(path);
    else if ((await files.sizeBytes(path)) !== undefined) await files.rename(path, path + HELD);
  }

  return {
    put: (hash, bytes) => {
      const known = writing.get(hash);
      if (known !== undefined) return known;
      const work = keep(hash, bytes).finally(() => writing.delete(hash));
      writing.set(hash, work);
      return work;
    },
    get: async (hash) => {
      const { path } = toPlace(folder, hash);
      try {
        return await readWhole(files, path);
      } catch (cause) {
        throw new StoreError("store_unavailable", "The image could not be read", { cause });
      }
    },
    remove: async (hash) => {
      const { path } = toPlace(folder, hash);
      try {
        await writing.get(hash)?.catch(() => undefined);
        await removeOrHold(path);
      } catch (cause) {
        throw new StoreError("store_unavailable", "The image could not be deleted", { cause });
      }
    },
  };
}
