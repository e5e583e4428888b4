/** The list and the checksums of dist/download, written whenever a file was added. */
import { createHash } from "node:crypto";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Download, toSums } from "../src/monitor/install/download-schema.ts";
import { VERSION } from "../src/version.ts";

const LIST = "download.json";
/** For "install.sh --from FOLDER", where no monitor says it. */
const SUMS = "SHA256SUMS";
const SIGNATURE = `${SUMS}.minisig`;
const written = new Set([LIST, SUMS, SIGNATURE]);

/** The text of SHA256SUMS for the files of `folder`. */
export async function readSums(folder: string): Promise<string> {
  return toSums(await listFiles(folder));
}

async function listFiles(folder: string): Promise<Download[]> {
  const items: Download[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (written.has(name)) continue;
    const bytes = await readFile(join(folder, name));
    items.push({
      name,
      sizeBytes: bytes.byteLength,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
  }
  return items;
}

/**
 * Reads the files of `folder` and writes the list that the monitor hands out.
 * @param signature the text of SHA256SUMS.minisig, when the files are those of a release
 */
export async function writeDownloadList(folder: string, signature?: string): Promise<void> {
  const items = await listFiles(folder);
  await writeFile(join(folder, SUMS), toSums(items));
  if (signature === undefined) await rm(join(folder, SIGNATURE), { force: true });
  else await writeFile(join(folder, SIGNATURE), signature);
  const list = { version: VERSION, items, signature };
  await writeFile(join(folder, LIST), `${JSON.stringify(list, undefined, 2)}\n`);
}
