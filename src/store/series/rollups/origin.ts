/** Which process a mark belongs to: a name made once and kept in its folder. */
import { join } from "node:path";
import { newId } from "../../../kit/secrets/id.ts";
import { type FileLayer, nodeFileLayer } from "../../../kit/files/file-layer.ts";
import { StoreError } from "../../store.ts";

const NAME = "origin";
const MAX_BYTES = 100;

/** The name kept in the folder, which is made when there is none. @throws StoreError when the file is damaged */
export async function readOrigin(folder: string, files: FileLayer = nodeFileLayer): Promise<string> {
  const path = join(folder, NAME);
  const bytes = await files.readRange(path, { offset: 0, sizeBytes: MAX_BYTES });
  if (bytes === undefined) return makeOrigin(folder, files);
  const text = new TextDecoder().decode(bytes).trim();
  if (/^org_[0-9a-z]+$/u.test(text)) return text;
  throw new StoreError(
    "store_unavailable",
    `"${path}" is damaged. Restore it from a backup, or remove it: then what the sample log still holds is ` +
      "counted once more in the history",
  );
}

async function makeOrigin(folder: string, files: FileLayer): Promise<string> {
  const path = join(folder, NAME);
  const origin = newId("org");
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
