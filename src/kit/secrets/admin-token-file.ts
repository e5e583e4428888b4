/**
 * The administrator token that the first start makes: kept as a hash in the data folder, and shown once, where there
 * is no terminal in a file that goes when the token is first used.
 */
import { crc32 } from "node:zlib";
import { z } from "zod";
import type { FileLayer } from "../files/file-layer.ts";
import { hashSecret, newAdminToken } from "./admin-token.ts";
import { readKeptFile, writeKeptFile } from "../files/kept-file.ts";

const FILE_NAME = "admin-token.json";
const SHOWN_NAME = "first-admin-token";

/** Strict: a bit in the name of `checksum` must not make it a file of an earlier version, which had none. */
const fileSchema = z
  .strictObject({ tokenHash: z.string().regex(/^[0-9a-f]{64}$/u), checksum: z.string().optional() })
  .refine(({ tokenHash, checksum }) => checksum === undefined || checksum === toChecksum(tokenHash));

function toChecksum(tokenHash: string): string {
  return `crc32:${crc32(tokenHash).toString(16).padStart(8, "0")}`;
}

export interface AdminTokenFile {
  readonly tokenHash: string;
  /** The token itself, only at the start that made it. */
  readonly madeToken?: string;
  readonly path: string;
}

export type MadeAdminToken = Required<AdminTokenFile>;

async function readHash(files: FileLayer, path: string): Promise<string | undefined> {
  const text = await readKeptFile(files, path);
  if (text === undefined) return undefined;
  try {
    return fileSchema.parse(JSON.parse(text)).tokenHash;
  } catch (cause) {
    const remedy = "remove the file so that the next start creates a new token, or set ADMIN_TOKEN";
    throw new Error(`"${path}" does not contain a token hash: ${remedy}`, { cause });
  }
}

/** Reads the token's hash from `folder`, or makes a token. Throws when the file is damaged or cannot be written. */
export async function loadAdminToken(files: FileLayer, folder: string): Promise<AdminTokenFile> {
  const path = `${folder}/${FILE_NAME}`;
  const kept = await readHash(files, path);
  if (kept !== undefined) return { tokenHash: kept, path };
  return makeToken(files, folder);
}

async function makeToken(files: FileLayer, folder: string): Promise<MadeAdminToken> {
  const madeToken = newAdminToken();
  const tokenHash = hashSecret(madeToken);
  const text = JSON.stringify({ tokenHash, checksum: toChecksum(tokenHash) });
  await writeKeptFile(files, { folder, name: FILE_NAME }, `${text}\n`);
  return { tokenHash, madeToken, path: `${folder}/${FILE_NAME}` };
}

/**
 * Replaces the token in `folder`, also one whose file is damaged; a process that runs keeps the former one.
 * @throws Error when there is none yet: that is another folder than the services'
 */
export async function renewAdminToken(files: FileLayer, folder: string): Promise<MadeAdminToken> {
  if ((await readKeptFile(files, `${folder}/${FILE_NAME}`)) === undefined)
    throw new Error("the data folder has no administrator token yet. The first start creates one");
  return makeToken(files, folder);
}

/** Leaves a token in `folder` to be read once; resolves with the file's path. */
export async function writeShownToken(files: FileLayer, folder: string, token: string): Promise<string> {
  await writeKeptFile(files, { folder, name: SHOWN_NAME }, `${token}\n`);
  return `${folder}/${SHOWN_NAME}`;
}

/** Removes the file of {@link writeShownToken} when it holds this token, and not one that was made since. */
export async function removeShownToken(files: FileLayer, folder: string, tokenHash: string): Promise<void> {
  const path = `${folder}/${SHOWN_NAME}`;
  const shown = await readKeptFile(files, path);
  if (shown !== undefined && hashSecret(shown.trim()) === tokenHash) await files.remove(path);
}

/** The problem of the token's files in `folder`; undefined if they are valid or missing. */
export async function findTokenFault(
  files: FileLayer,
  folder: string,
): Promise<{ readonly path: string; readonly problem: string } | undefined> {
  const [path, shownPath] = [`${folder}/${FILE_NAME}`, `${folder}/${SHOWN_NAME}`];
  try {
    const tokenHash = await readHash(files, path);
    const shown = await readKeptFile(files, shownPath);
    const isSound = tokenHash === undefined || shown === undefined || hashSecret(shown.trim()) === tokenHash;
    return isSound ? undefined : { path: shownPath, problem: "does not contain the administrator token" };
  } catch {
    return { path, problem: "has invalid content" };
  }
}
