/**
 * The secret that the first start makes to seal what must not be readable in a store. Kept in the data
 * folder, beside the records but not among them: a copy of the database alone opens nothing.
 */
import { z } from "zod";
import type { FileLayer } from "../files/file-layer.ts";
import { newSecret } from "./id.ts";
import { readKeptFile, writeKeptFile } from "../files/kept-file.ts";

const fileSchema = z.object({ secret: z.string().min(32) });

/** The secret in a file's text; undefined when it holds none. */
export function parseSecretFile(text: string): string | undefined {
  try {
    return fileSchema.parse(JSON.parse(text)).secret;
  } catch {
    return undefined;
  }
}

/** Reads the secret from `folder`/`name`, or makes one. Throws when the file is damaged or cannot be written. */
export async function loadSecret(
  files: FileLayer,
  place: { folder: string; name: string; variable: string },
): Promise<{ secret: string; made: boolean; path: string }> {
  const path = `${place.folder}/${place.name}`;
  const kept = await readKeptFile(files, path);
  if (kept === undefined) {
    const secret = newSecret("key", 48);
    await writeKeptFile(files, place, `${JSON.stringify({ secret })}\n`);
    return { secret, made: true, path };
  }
  const secret = parseSecretFile(kept);
  if (secret !== undefined) return { secret, made: false, path };
  const remedy = `restore the file from your copy or from a backup with keys, or set ${place.variable} to the previous secret`;
  throw new Error(`"${path}" does not contain a secret: ${remedy}`);
}
