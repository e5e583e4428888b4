/** The list and the checksums of dist/download, written whenever a file was added. */
import { createHash } from "node:crypto";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Download, toSums } from "../src/monitor/install/download-schema.ts";
import { VERSION } from "../src/version.ts";

const LIST = "download.json";
/** For "install.sh --from FOLDER", where no monitor says it. */
const SUMS = "SHA256SUMS";

/** Reads the files of `folder` and writes the list that the monitor hands out. */
export async function writeDownloadList(folder: string): Promise<void> {
  const items: Download[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (name === LIST || name === SUMS) continue;
    const bytes = await readFile(join(folder, name));
    items.push({
      name,
      sizeBytes: bytes.byteLength,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
  }
  await writeFile(join(folder, SUMS), toSums(items));
  await writeFile(join(folder, LIST), `${JSON.stringify({ version: VERSION, items }, undefined, 2)}\n`);
}
