/** Bits of files at rest that change, as on a disk that ages. */
import type { Random } from "../kernel/random.ts";
import type { Folder } from "./folder.ts";
import type { FileInode } from "./inode.ts";

export interface Rot {
  readonly path: string;
  /** Changes the bit back, as a restored file would. */
  readonly repair: () => void;
}

/** Files in which checksums cover every byte: those of a store, of the sample log, and of the history; pictures and sold files. */
const stored = [
  /\/(?:shop|auth|monitor)\.(?:json|\d+\.(?:journal|index))$/u,
  /\/samples\/(?:\d+\.samples|checkpoint|newest|segments|origin)$/u,
  /\/(?:history|parts)\/(?:commit|[^/]+\.run)$/u,
  /\/blobs\/[\da-f]{2}\/[\da-f]{64}$/u,
];

/**
 * Where a changed bit has to be noticed. Not in the last batch of a journal: what is damaged there can be a write that a
 * power cut tore, and is dropped with a warning.
 */
function findEnd(path: string, { durableBytes }: FileInode): number {
  if (!path.endsWith(".journal")) return durableBytes.length;
  const text = new TextDecoder("latin1").decode(durableBytes);
  const batches = [...text.matchAll(/^[\da-f]{8} \{"lsn":\d+,"batch":(\d+),/gmu)];
  const last = batches.at(-1)?.[1];
  // The end of the line before it, too: without it both lines would be the last.
  return (batches.find(([, batch]) => batch === last)?.index ?? 0) - 1;
}

/** Of the newest reports of a sample log no other file says yet that they were stored. */
function isNewest(path: string, paths: readonly string[]): boolean {
  const folder = path.slice(0, path.lastIndexOf("/"));
  return (
    path.endsWith(".samples") &&
    paths.every((other) => !other.startsWith(folder) || !other.endsWith(".samples") || other <= path)
  );
}

/** Changes a bit of a stored file; undefined where there is none. */
export function rot(root: Folder, random: Random): Rot | undefined {
  const all = [...root.files()];
  const paths = all.map(([path]) => path);
  const files = all.filter(
    ([path, inode]) =>
      stored.some((pattern) => pattern.test(path)) &&
      !isNewest(path, paths) &&
      !inode.isDirty &&
      findEnd(path, inode) > 0,
  );
  const [path, inode] = files[random.below(files.length)] ?? [];
  if (path === undefined || inode === undefined) return undefined;
  const [at, bit] = [random.below(findEnd(path, inode)), random.below(8)];
  inode.flip(at, bit);
  return { path: `${path} at byte ${at}`, repair: () => inode.flip(at, bit) };
}
