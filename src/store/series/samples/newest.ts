/** The number of the newest segment, in a file beside them: without it nobody would miss that segment. */
import { join } from "node:path";
import type { FileLayer } from "../../../kit/files/file-layer.ts";

const NAME = "newest";
const MAX_BYTES = 32;

/** How many digits it has where a program wrote it that also keeps a manifest (`manifest.ts`). */
const DIGITS = 12;

/** What the file says. */
export interface Newest {
  readonly seq: number;
  readonly hasManifest: boolean;
}

/** Reads the number; undefined when there is none, as in folders of programs that kept none. */
export async function readNewest(files: FileLayer, folder: string): Promise<Newest | undefined> {
  const path = join(folder, NAME);
  const bytes = await files.readRange(path, { offset: 0, sizeBytes: MAX_BYTES });
  const text = new TextDecoder().decode(bytes).trim();
  return /^\d{1,12}$/u.test(text) ? { seq: Number(text), hasManifest: text.length === DIGITS } : undefined;
}

/** Removes what a crash left of a new number; only while nobody writes one. */
export async function removeNewestDraft(files: FileLayer, folder: string): Promise<void> {
  await files.remove(`${join(folder, NAME)}.tmp`);
}

/** Replaces the number, once the segment itself survives a power cut. */
export async function writeNewest(files: FileLayer, folder: string, seq: number): Promise<void> {
  const path = join(folder, NAME);
  const file = await files.openAppend(`${path}.tmp`, { truncate: true });
  try {
    await file.append(new TextEncoder().encode(`${String(seq).padStart(DIGITS, "0")}\n`));
    await file.datasync();
  } finally {
    await file.close();
  }
  await files.rename(`${path}.tmp`, path);
  await files.syncFolder(folder);
}
