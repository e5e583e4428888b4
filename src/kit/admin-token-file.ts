/**
 * The administrator token that the first start makes: shown once, kept as a hash in the data folder.
 * Hidden here: the file's name and form, and two services that start at the same moment.
 */
import { z } from "zod";
import type { FileLayer } from "../store/file-layer.ts";
import { hashSecret, newAdminToken } from "./admin-token.ts";
import { readKeptFile, writeKeptFile } from "./kept-file.ts";

const FILE_NAME = "admin-token.json";

const fileSchema = z.object({ tokenHash: z.string().regex(/^[0-9a-f]{64}$/u) });

export interface AdminTokenFile {
  readonly tokenHash: string;
  /** The token itself, only at the start that made it. */
  readonly madeToken?: string;
  readonly path: string;
}

async function readHash(files: FileLayer, path: string): Promise<string | undefined> {
  const text = await readKeptFile(files, path);
  if (text === undefined) return undefined;
  try {
    return fileSchema.parse(JSON.parse(text)).tokenHash;
  } catch (cause) {
    const remedy = "remove it to have a new token made at the next start, or set ADMIN_TOKEN";
    throw new Error(`"${path}" does not hold a token hash: ${remedy}`, { cause });
  }
}

/** Reads the token's hash from `folder`, or makes a token. Throws when the file is damaged or cannot be written. */
export async function loadAdminToken(files: FileLayer, folder: string): Promise<AdminTokenFile> {
  const path = `${folder}/${FILE_NAME}`;
  const kept = await readHash(files, path);
  if (kept !== undefined) return { tokenHash: kept, path };
  const token = newAdminToken();
  const tokenHash = hashSecret(token);
  await writeKeptFile(files, { folder, name: FILE_NAME }, `${JSON.stringify({ tokenHash })}\n`);
  return { tokenHash, madeToken: token, path };
}
