/**
 * The number of the newest segment, in a file next to the segments: without it, a missing newest segment
 * would go unnoticed.
 */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { FileLayer } from "../../../kit/files/file-layer.ts";
import { formatChecksum } from "../../checksum.ts";

const NAME = "newest";
const MAX_BYTES = 32;

/** How many digits it has where a program wrote it that also keeps a manifest (`manifest.ts`). */
const DIGITS = 12;

/** The content of the file. */
export interface Newest {
  readonly seq: number;
  readonly hasManifest: boolean;
}

/** The number with its checksum: anyone who changes a digit gets another one. */
function toText(seq: number): string {
  const digits = String(seq).padStart(DIGITS, "0");
  return `${digits} ${formatChecksum(crc32(digits))}\n`;
}

export function newestPath(folder: string): string {
  return join(folder, NAME);
}

/** Reads the number; undefined when there is none, as in folders of programs that kept none, and when it is damaged. */
export async function readNewest(files: FileLayer, folder: string): Promise<Newest | undefined> {
  const bytes = await files.readRange(newestPath(folder), { offset: 0, sizeBytes: MAX_BYTES });
  const text = new TextDecoder().decode(bytes);
  const [, digits] = /^(\d{12}) [0-9a-f]{8}\n$/u.exec(text) ?? [];
  if (digits !== undefined)
    return text === toText(Number(digits)) ? { seq: Number(digits), hasManifest: true } : undefined;
  // Earlier versions wrote no checksum.
  const [plain] = /^\d{1,12}(?=\n?$)/u.exec(text) ?? [];
  return plain === undefined ? undefined : { seq: Number(plain), hasManifest: plain.length === DIGITS };
}

/** Removes the remains of a draft after a crash; only while none is being written. */
export async function removeNewestDraft(files: FileLayer, folder: string): Promise<void> {
  await files.remove(`${newestPath(folder)}.tmp`);
}

/** Replaces the number, once the segment itself survives a power cut. */
export async function writeNewest(files: FileLayer, folder: string, seq: number): Promise<void> {
  const path = newestPath(folder);
  const file = await files.openAppend(`${path}.tmp`, { truncate: true });
  try {
    await file.append(new TextEncoder().encode(toText(seq)));
    await file.datasync();
  } finally {
    await file.close();
  }
  await files.rename(`${path}.tmp`, path);
  await files.syncFolder(folder);
}
