/** Checks a whole data folder, or a backup of one, also while the services run. Nothing in it is changed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { z } from "zod";
import { readKeptFile } from "../../kit/files/kept-file.ts";
import { findTokenFault } from "../../kit/secrets/admin-token-file.ts";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import { codeOf, textOf } from "../../kit/thrown.ts";
import { openJournalStore } from "../../store/journal/journal-store.ts";
import { listGenerations } from "../../store/journal/place.ts";
import { readContents } from "../../store/btree/base.ts";
import type { Store } from "../../store/store.ts";
import { copyStore } from "../backup/backup.ts";
import { belongsTo, hashFile, listFiles } from "../backup/content.ts";
import { MANIFEST, readManifest, verifyContent } from "../backup/manifest.ts";
import { findPromisedHash } from "../backup/references.ts";
import { serviceCollections } from "../collections.ts";
import { type CheckReport, Findings } from "./finding.ts";
import type { FoundSecret } from "./secret-check.ts";
import { checkSeries } from "./series-check.ts";
import { checkStore, listMissing } from "./store-check.ts";

const SEND_AGAIN = "restore it from a backup, or upload it again in the shop";
const NEW_TOKEN = "run trivet --new-admin-token";
const SHOWN = 20;

/** Secrets that the environment gives, by service. */
export type Secrets = Readonly<Record<string, string | undefined>>;
/** Secrets with where they come from, by service. */
export type FoundSecrets = Readonly<Record<string, FoundSecret | undefined>>;

interface FolderCheck {
  readonly data: string;
  readonly files: readonly string[];
  readonly secrets: Secrets;
  readonly findings: Findings;
}

const secretSchema = z.object({ secret: z.string().min(32) });

async function readSmallFile<T>(
  { data, findings }: FolderCheck,
  { name, schema, remedy }: { readonly name: string; readonly schema: z.ZodType<T>; readonly remedy: string },
): Promise<T | undefined> {
  const path = join(data, name);
  const text = await readKeptFile(nodeFileLayer, path);
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    findings.error(path, "has invalid content", remedy);
    return undefined;
  }
}

async function findSecret(check: FolderCheck, service: string): Promise<FoundSecret | undefined> {
  const given = check.secrets[service];
  const variable = `${service.toUpperCase()}_SECRET`;
  if (given !== undefined) return { secret: given, where: variable };
  const name = `${service}-secret.json`;
  const remedy = `restore it from your copy or from a backup with keys, or set ${variable}`;
  const found = await readSmallFile(check, { name, schema: secretSchema, remedy });
  return found === undefined ? undefined : { secret: found.secret, where: join(check.data, name) };
}

/** The secrets of all services: those that the environment gives, and with them those that lie in a data folder. */
export async function readSecrets(data: string, given: Secrets): Promise<FoundSecrets> {
  const check = { data, files: [], secrets: given, findings: new Findings() };
  const found: Record<string, FoundSecret | undefined> = {};
  for (const service of Object.keys(serviceCollections)) found[service] = await findSecret(check, service);
  return found;
}

/** The files of one service's store, copied to where they can be opened. */
async function openCopy(check: FolderCheck, service: string, work: string): Promise<Store | undefined> {
  const store = { folder: service, name: service };
  try {
    await copyStore({ data: check.data, to: work }, store);
    const collections = serviceCollections[service] ?? [];
    return await openJournalStore({
      folder: join(work, service),
      name: service,
      collections,
      compactOnClose: false,
    });
  } catch (error) {
    // The message names the copy where it should name the file itself.
    check.findings.error(
      join(check.data, service),
      textOf(error).replaceAll(work, check.data),
      "see the message",
    );
    return undefined;
  }
}

/** Index files are rebuilt from their snapshot; one that is damaged while a service runs takes that service's look-ups with it. */
async function checkIndexes({ data, findings }: FolderCheck, service: string): Promise<void> {
  const place = { files: nodeFileLayer, folder: join(data, service), name: service };
  for (const { path } of await listGenerations(place, "index"))
    if (
      (await readContents(nodeFileLayer, path)) === undefined &&
      (await nodeFileLayer.sizeBytes(path)) !== undefined
    )
      findings.warn(path, "is incomplete", "restart the service, which rebuilds it");
}

/** Every blob against its name; the names of those that are sound. */
async function checkBlobs({ data, files, findings }: FolderCheck): Promise<ReadonlySet<string>> {
  const sound = new Set<string>();
  let count = 0;
  for (const file of files) {
    const isSize = /(?:^|\/)sizes\/[0-9a-f]{2}\//u.test(file);
    const hash = findPromisedHash(file) ?? (isSize ? basename(file) : undefined);
    if (hash === undefined) continue;
    // Removed since it was listed.
    const found = await hashFile(join(data, file)).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    });
    count += 1;
    if (found === hash && !isSize) sound.add(hash);
    if (found === undefined || found === hash) continue;
    if (isSize)
      findings.warn(join(data, file), "is damaged", "delete it; it is recreated on the next request");
    else findings.error(join(data, file), "does not match the checksum in its name", SEND_AGAIN);
  }
  if (count > 0) findings.count("images and parts of files", count);
  return sound;
}

async function checkReferences(check: FolderCheck, store: Store, sound: ReadonlySet<string>): Promise<void> {
  const { data, findings } = check;
  const toPath = (hash: string): string => join(data, "shop", "blobs", hash.slice(0, 2), hash);
  const found = await listMissing(
    store,
    async (hash) => sound.has(hash) || (await isLater(toPath(hash), hash)),
  );
  findings.count("references to images and parts of files", found.count);
  for (const broken of found.broken.slice(0, SHOWN)) findings.error("shop", broken, SEND_AGAIN);
  for (const { hash, by } of found.blobs.slice(0, SHOWN))
    findings.error(toPath(hash), `is missing or damaged, and ${by} refers to it`, SEND_AGAIN);
  const more = found.broken.length + found.blobs.length - 2 * SHOWN;
  if (more > 0) findings.error("shop", `at least ${more} more references are broken`, SEND_AGAIN);
}

/** Whether a blob came since they were listed. */
async function isLater(path: string, hash: string): Promise<boolean> {
  return hashFile(path).then(
    (found) => found === hash,
    () => false,
  );
}

async function checkServices(check: FolderCheck, work: string): Promise<void> {
  const sound = await checkBlobs(check);
  for (const [service, collections] of Object.entries(serviceCollections)) {
    const secret = await findSecret(check, service);
    if (!check.files.some((file) => belongsTo({ folder: service, name: service }, file))) continue;
    await checkIndexes(check, service);
    const store = await openCopy(check, service, work);
    if (store === undefined) continue;
    try {
      await checkStore({ service, collections, store, secret, findings: check.findings });
      if (service === "shop") await checkReferences(check, store, sound);
    } finally {
      await store.close();
    }
  }
}

/** @throws Error when there is no data in the folder */
export async function checkFolder(data: string, secrets: Secrets): Promise<CheckReport> {
  const files = await listFiles(data).catch((): string[] => []);
  if (files.length === 0)
    throw new Error(`"${data}" does not contain data. Specify the data folder or a backup`);
  const findings = new Findings();
  const check = { data, files, secrets, findings };
  if (files.includes(MANIFEST)) {
    const manifest = await readManifest(data);
    await verifyContent(data, manifest).catch((error: unknown) =>
      findings.error(data, textOf(error), "use another backup"),
    );
    if (manifest.missing !== undefined) findings.error(data, manifest.missing, "use another backup");
    findings.count("files of the backup", manifest.files.length);
  }
  const fault = await findTokenFault(nodeFileLayer, data);
  if (fault !== undefined) findings.error(fault.path, fault.problem, NEW_TOKEN);
  const work = await mkdtemp(join(tmpdir(), "trivet-check-"));
  try {
    await checkServices(check, work);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  await checkSeries(data, findings);
  return { place: `the folder "${data}"`, findings: findings.list, checked: findings.checked };
}
