/** Downloads for machines that want an agent. */
import { z } from "zod";

/** One file for a machine. */
export const downloadSchema = z.object({
  name: z.string().describe("Below /download/"),
  sizeBytes: z.number().int(),
  sha256: z.string().length(64).describe("Hex"),
});
export type Download = z.infer<typeof downloadSchema>;

/** Written by `npm run build` and `npm run build:agent` next to the files. */
export const downloadListSchema = z.object({
  version: z.string(),
  items: z.array(downloadSchema),
  signature: z
    .string()
    .optional()
    .describe("Signature of SHA256SUMS in minisign's format; only releases are signed"),
});

export type DownloadList = z.infer<typeof downloadListSchema>;

export interface DownloadFile extends Download {
  open(): ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>;
}

export interface Downloads {
  readonly items: readonly DownloadFile[];
  readonly signature?: string | undefined;
}

/** All files that there are; none while nothing was built. */
export type ListDownloads = () => Promise<Downloads>;

/** The text of SHA256SUMS as `sha256sum -c` reads it. */
export function toSums(files: readonly Download[]): string {
  return files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join("");
}
