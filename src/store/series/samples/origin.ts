/** Which process a mark belongs to: a name made once and kept in its folder. */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { newId } from "../../../kit/secrets/id.ts";
import { type FileLayer, nodeFileLayer } from "../../../kit/files/file-layer.ts";
import { StoreError } from "../../store.ts";

const NAME = "origin";
const MAX_BYTES = 100;
/** Of one without a checksum, as earlier versions made it. */
const MAX_PLAIN = 35;

/** A name that ends with its own checksum: changing a letter changes the checksum. */
function toOrigin(id: string): string {
  return `${id}crc${crc32(id).toString(16).padStart(8, "0")}`;
}

function isSound(text: string): boolean {
  const [, id] = /^(org_[0-9a-z]+)crc[0-9a-f]{8}$/u.exec(text) ?? [];
  if (id !== undefined) return text === toOrigin(id);
  return text.length <= MAX_PLAIN && /^org_[0-9a-z]+$/u.test(text);
}

/** The file of a folder when it is damaged. */
export async function findDamagedOrigin(files: FileLayer, folder: string): Promise<string | undefined> {
  const path = join(folder, NAME);
  const text = await readText(files, path);
  return text === undefined || isSound(text) ? undefined : path;
}

async function readText(files: FileLayer, path: string): Promise<string | undefined> {
  const bytes = await files.readRange(path, { offset: 0, sizeBytes: MAX_BYTES });
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes).trim();
}

/** The name kept in the folder, which is made when there is none. @throws StoreError when the file is damaged */
export async function readOrigin(folder: string, files: FileLayer = nodeFileLayer): Promise<string> {
  const path = join(folder, NAME);
  const text = await readText(files, path);
  if (text === undefined) return makeOrigin(folder, files);
  if (isSound(text)) return text;
  throw new StoreError(
    "store_unavailable",
    `"${path}" is damaged. Restore it from a backup, or delete it. The data in the sample log is then ` +
      "counted again in the history",
  );
}

async function makeOrigin(folder: string, files: FileLayer): Promise<string> {
  const path = join(folder, NAME);
  const origin = toOrigin(newId("org"));
  await files.makeFolder(folder);
  const file = await files.openAppend(`${path}.tmp`, { truncate: true });
  try {
    await file.append(new TextEncoder().encode(`${origin}\n`));
    await file.datasync();
  } finally {
    await file.close();
  }
  await files.rename(`${path}.tmp`, path);
  await files.syncFolder(folder);
  return origin;
}
