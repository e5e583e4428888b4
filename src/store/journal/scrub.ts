/** Reads a store's files through while it runs: snapshot and index file block by block, the journal line by line. */
import type { FileLayer } from "../../kit/files/file-layer.ts";
import { type DataProblem, SCRUB_PIECE_BYTES } from "../scrub.ts";
import { toChecksum } from "./line.ts";
import { splitLines } from "./scan.ts";

const CHECKSUM_BYTES = 8;

function isSound(line: Uint8Array): boolean {
  const stated = Buffer.from(line.subarray(0, CHECKSUM_BYTES)).toString("latin1");
  return stated === toChecksum(line.subarray(CHECKSUM_BYTES + 1));
}

/** Lines of the first `sizeBytes` of a journal, which are durable. */
export async function* scrubJournal(
  files: FileLayer,
  path: string,
  sizeBytes: number,
): AsyncGenerator<number | DataProblem> {
  const chunks = await files.readChunks(path);
  if (chunks === undefined) return;
  let yielded = 0;
  for await (const { bytes, number, offset } of splitLines(chunks)) {
    const end = offset + bytes.byteLength + 1;
    if (end > sizeBytes) break;
    if (!isSound(bytes)) {
      const remedy =
        "create a backup now. The backup lacks this change, but the service cannot restart with this file";
      yield { path, problem: `is damaged at line ${number}; ${remedy}` };
    }
    if (end - yielded < SCRUB_PIECE_BYTES) continue;
    yield end - yielded;
    yielded = end;
  }
}
