/** Files that come with the program, packed. */
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

const unpack = promisify(gunzip);

/** The bytes of a file that was packed with gzip. */
export async function readPacked(url: URL): Promise<Uint8Array> {
  return unpack(await readFile(url));
}
