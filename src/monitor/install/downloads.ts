/** What the monitor hands out to machines that want an agent. */
import { z } from "zod";

/** One file for a machine. */
export const downloadSchema = z.object({
  name: z.string().describe("Below /download/"),
  sizeBytes: z.number().int(),
  sha256: z.string().length(64).describe("Hex"),
});
export type Download = z.infer<typeof downloadSchema>;

/** What `npm run build` and `npm run build:agent` write beside the files. */
export const downloadListSchema = z.object({ version: z.string(), items: z.array(downloadSchema) });

/** The files and their content. */
export interface Downloads {
  /** All files that there are; empty while nothing was built. */
  list(): Promise<readonly Download[]>;
  /** The content of a file of the list. */
  open(file: Download): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>>;
}

/** The text of SHA256SUMS as `sha256sum -c` reads it. */
export function toSums(files: readonly Download[]): string {
  return files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join("");
}
