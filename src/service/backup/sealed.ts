/**
 * Backups as one file that only the holder of an age identity can open (https://age-encryption.org/v1): a tar archive,
 * encrypted as a stream, so that memory does not grow with the data.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { Decrypter, Encrypter } from "age-encryption";
import { type ParsedTarEntry, createTarDecoder, createTarPacker } from "modern-tar";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import { textOf } from "../../kit/thrown.ts";
import { INCOMPLETE, PARTIAL, createBackup } from "./backup.ts";
import { SEALED } from "./sealed-name.ts";
import { hashFile } from "./content.ts";
import { MANIFEST, type Manifest } from "./manifest.ts";

type Bytes = ReadableStream<Uint8Array>;

function readBytes(path: string): Bytes {
  // The types of Node's and the Web's streams differ; the objects are the same.
  return Readable.toWeb(createReadStream(path)) as unknown as Bytes;
}

/** One after the other, as the consumer takes them. */
async function* readAll<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const read = await reader.read();
      isDone = read.done;
      if (read.done) return;
      yield read.value;
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => undefined);
  }
}

/** The files below a folder, relative and sorted, whatever they are. */
async function listAll(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

async function pack(
  folder: string,
  name: string,
  controller: ReturnType<typeof createTarPacker>["controller"],
): Promise<void> {
  for (const path of await listAll(folder)) {
    const { size, mtime } = await stat(join(folder, path));
    const body = controller.add({ name: `${name}/${path}`, size, mtime, mode: 0o600 });
    await readBytes(join(folder, path)).pipeTo(body);
  }
  controller.finalize();
}

/** Writes a stream to a new file and syncs it; resolves with the SHA-256 of the bytes. */
async function write(stream: Bytes, path: string): Promise<string> {
  const file = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  try {
    for await (const chunk of readAll(stream)) {
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}

/** An Encrypter for recipients. @throws Error that names the one that is none */
function createEncrypter(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter();
  for (const recipient of recipients)
    try {
      encrypter.addRecipient(recipient);
    } catch (cause) {
      throw new Error(`"${recipient}" is not an age recipient, such as age1… from age-keygen`, { cause });
    }
  return encrypter;
}

/** Throws unless every recipient is one of age. */
export function assertRecipients(recipients: readonly string[]): void {
  createEncrypter(recipients);
}

/** Seals a verified backup in `folder` as the file `to`, and reads the file back. */
export async function sealFolder(folder: string, to: string, recipients: readonly string[]): Promise<void> {
  const partial = to + PARTIAL;
  await rm(partial, { force: true });
  const { readable, controller } = createTarPacker();
  const packed = pack(folder, basename(to).slice(0, -SEALED.length), controller).catch((error: unknown) => {
    controller.error(error);
    throw error;
  });
  try {
    const sealed = await createEncrypter(recipients).encrypt(readable as Bytes);
    const [sha256] = await Promise.all([write(sealed, partial), packed]);
    if ((await hashFile(partial)) !== sha256) throw new Error(`"${partial}" differs from what was written`);
    await rename(partial, to);
    await nodeFileLayer.syncFolder(dirname(to));
  } catch (error) {
    await rm(partial, { force: true });
    await packed.catch(() => undefined);
    throw error;
  }
}

/**
 * Makes a backup with the sealing keys on the disk of the data, verifies it, and seals it as the file `to`: nothing is
 * readable where backups go.
 * @throws Error as `createBackup` does; a backup that lacks something is not sealed
 */
export async function createSealedBackup(options: {
  readonly data: string;
  readonly to: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly recipients: readonly string[];
}): Promise<Manifest> {
  const { data, to, now, recipients } = options;
  assertRecipients(recipients);
  const isTaken = await stat(to).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new Error(`"${to}" already exists. Choose a new file`);
  const folder = join(data, `.sealing-${now}`);
  try {
    const manifest = await createBackup({ data, to: folder, now, withKeys: true });
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await sealFolder(folder, to, recipients);
    return manifest;
  } finally {
    for (const suffix of ["", PARTIAL, INCOMPLETE])
      await rm(folder + suffix, { recursive: true, force: true });
  }
}

/** Identities of a file of age-keygen: one a line, comments left out. */
function readIdentities(text: string): string[] {
  return text
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

function createDecrypter(identities: string): Decrypter {
  const found = readIdentities(identities);
  const decrypter = new Decrypter();
  if (found.length === 0)
    throw new Error(
      "The identity file is empty. It needs a line with AGE-SECRET-KEY-1…, as age-keygen writes it",
    );
  for (const identity of found)
    try {
      decrypter.addIdentity(identity);
    } catch (cause) {
      throw new Error("The identity file has a line that is not an age identity (AGE-SECRET-KEY-1…)", {
        cause,
      });
    }
  return decrypter;
}

/** Where an entry goes; undefined for what is no file of a backup, such as a folder. */
function toTarget({ header }: ParsedTarEntry, into: string): string | undefined {
  const { name, type = "file" } = header;
  if (type === "directory") return undefined;
  const parts = name.split("/").filter((part) => part !== "." && part !== "");
  if (type !== "file" || name.startsWith("/") || parts.includes(".."))
    throw new Error(`The archive contains "${name.slice(0, 200)}", which no backup contains`);
  return join(into, ...parts);
}

async function unpack(plain: Bytes, into: string): Promise<void> {
  for await (const one of readAll(plain.pipeThrough(createTarDecoder({ strict: true })))) {
    const target = toTarget(one, into);
    if (target === undefined) {
      await one.body.cancel();
      continue;
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await write(one.body, target);
  }
}

/** The folder of the backup: the archive itself, or the only folder in it. */
async function findBackup(into: string): Promise<string> {
  const entries = await readdir(into);
  const [only] = entries;
  return entries.includes(MANIFEST) || only === undefined || entries.length > 1 ? into : join(into, only);
}

/**
 * Opens a sealed backup into the empty folder `into`; resolves with the folder of the backup.
 * @throws Error that says what to do with another identity, a damaged file, or one that is no sealed backup
 */
export async function openSealed(file: string, identities: string, into: string): Promise<string> {
  const decrypter = createDecrypter(identities);
  let plain: Bytes;
  try {
    plain = await decrypter.decrypt(readBytes(file));
  } catch (cause) {
    const text = textOf(cause);
    if (text.includes("no identity matched"))
      throw new Error(
        `"${file}" was sealed to another recipient. Use the identity that belongs to the recipient in BACKUP_RECIPIENTS`,
        { cause },
      );
    throw new Error(`"${file}" is not a backup sealed with age, or its beginning is damaged: ${text}`, {
      cause,
    });
  }
  try {
    await unpack(plain, into);
  } catch (cause) {
    throw new Error(`"${file}" is damaged or cut off: ${textOf(cause)}. Use another copy of the backup`, {
      cause,
    });
  }
  return findBackup(into);
}
