/** Bits of files at rest that change, as on a disk that ages. */
import type { Random } from "../kernel/random.ts";
import type { Folder } from "./folder.ts";
import type { FileInode } from "./inode.ts";

export interface Rot {
  readonly path: string;
  /** Changes the bit back, as a restored file would. */
  readonly repair: () => void;
}

/** Files of a store, in which checksums cover every byte. */
const stored = /\/(?:shop|auth|monitor)\.(?:json|\d+\.(?:journal|index))$/u;

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

/** Changes a bit of a file of a store; undefined where there is none. */
export function rot(root: Folder, random: Random): Rot | undefined {
  const files = [...root.files()].filter(
    ([path, inode]) => stored.test(path) && !inode.isDirty && findEnd(path, inode) > 0,
  );
  const [path, inode] = files[random.below(files.length)] ?? [];
  if (path === undefined || inode === undefined) return undefined;
  const [at, bit] = [random.below(findEnd(path, inode)), random.below(8)];
  inode.flip(at, bit);
  return { path: `${path} at byte ${at}`, repair: () => inode.flip(at, bit) };
}
