/** The data folder, what is in it, the database, and the backups. */
import { type ServiceName, serviceNames } from "../../kit/services.ts";
import { access, constants, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import { readKeptFile } from "../../kit/files/kept-file.ts";
import { createSecretBox } from "../../kit/secrets/secret-box.ts";
import { parseSecretFile } from "../../kit/secrets/secret-file.ts";
import { codeOf, textOf } from "../../kit/thrown.ts";
import { findChangeRemedy, isSecretOf } from "../../records/secret-check.ts";
import { openBackupFolder } from "../backup/backup-folder.ts";
import { readDiskRoom } from "../disk.ts";
import { readFingerprint } from "../fingerprint.ts";
import { secretChecks } from "../secret-checks.ts";
import { toSecretRemedy } from "../secrets.ts";
import { type Finding, createFindings } from "./finding.ts";
import type { DoctorPlace } from "./place.ts";

const folder = createFindings("data folder");
const disk = createFindings("disk space");
const secrets = createFindings("secrets");
const backups = createFindings("backups");
const clock = createFindings("clock");
const database = createFindings("database");

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const MAX_CLOCK_MS = 60_000;

const gib = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;

interface Entry {
  readonly path: string;
  readonly uid: number;
  readonly mtimeMs: number;
}

/** The entries of the folder and of the services' folders. */
async function listEntries(dataDir: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const inner of ["", ...serviceNames]) {
    const names = await readdir(join(dataDir, inner)).catch(() => []);
    for (const name of names) {
      const path = join(dataDir, inner, name);
      // One that goes meanwhile is none.
      const info = await stat(path).catch(() => undefined);
      if (info !== undefined) entries.push({ path, uid: info.uid, mtimeMs: info.mtimeMs });
    }
  }
  return entries;
}

async function checkFolder({ config, now }: DoctorPlace): Promise<Finding[]> {
  const { dataDir } = config;
  const info = await stat(dataDir).catch((error: unknown) => codeOf(error) ?? textOf(error));
  if (info === "ENOENT")
    return [
      folder.warning(
        `The data folder "${dataDir}" does not exist yet`,
        "The first start creates the folder. If Trivet has already been started, check DATA_DIR",
      ),
    ];
  if (typeof info === "string")
    return [
      folder.problem(
        `The data folder "${dataDir}" cannot be read (${info})`,
        "Run this command as the user of the service, or as root",
      ),
    ];
  const findings: Finding[] = [];
  const isWritable = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    findings.push(
      folder.problem(
        `This user cannot write to the data folder "${dataDir}"`,
        "Run this command as the user of the service, or change the owner of the folder to that user (chown -R)",
      ),
    );
  if ((info.mode & 0o077) !== 0)
    findings.push(
      folder.warning(
        `Other users can read the data folder "${dataDir}" (mode ${(info.mode & 0o777).toString(8)}), which contains secrets`,
        `chmod 700 "${dataDir}"`,
      ),
    );
  const entries = await listEntries(dataDir);
  const foreign = entries.filter(({ uid }) => uid !== info.uid);
  if (foreign[0] !== undefined)
    findings.push(
      folder.problem(
        `${foreign.length} files in the data folder belong to a different user than the folder itself, such as "${foreign[0].path}"`,
        `chown -R --reference="${dataDir}" "${dataDir}"`,
      ),
    );
  if (findings.length === 0) findings.push(folder.ok(`The data folder "${dataDir}" is private and writable`));
  const newest = Math.max(0, ...entries.map(({ mtimeMs }) => mtimeMs));
  const late = newest - now() > MAX_CLOCK_MS;
  findings.push(
    late
      ? clock.problem(
          `The clock shows ${new Date(now()).toISOString()}, but files in the data folder are from ${new Date(newest).toISOString()}`,
          "Synchronize the clock with NTP (timedatectl set-ntp true) before you start the services",
        )
      : clock.ok(`The clock is not behind the stored records (${new Date(now()).toISOString()})`),
  );
  const { freeBytes, totalBytes } = await readDiskRoom(dataDir);
  const room = `${gib(freeBytes)} of ${gib(totalBytes)} free on the disk of the data folder`;
  if (freeBytes < 64 * MIB)
    findings.push(disk.problem(room, "Free some space. Without free space, no data can be written"));
  else if (freeBytes < 1024 * MIB && freeBytes < totalBytes / 10)
    findings.push(disk.warning(room, "Free some space before it runs out"));
  else findings.push(disk.ok(room));
  return findings;
}

async function checkSecret({ config }: DoctorPlace, service: ServiceName): Promise<Finding | undefined> {
  const { dataDir } = config;
  const given = config.secrets[service];
  const file = `${dataDir}/${service}-secret.json`;
  try {
    const known = await readFingerprint(config, secretChecks[service]);
    if (known === undefined) return undefined;
    const text = given === undefined ? await readKeptFile(nodeFileLayer, file) : undefined;
    const secret = given ?? (text === undefined ? undefined : parseSecretFile(text));
    const unfinished = findChangeRemedy(known, service);
    if (unfinished !== undefined)
      return secrets.problem(`The ${service} cannot start: its records are sealed with two keys`, unfinished);
    const advice = `Before the start, ${toSecretRemedy(service, dataDir)}`;
    if (secret === undefined)
      return secrets.problem(
        text === undefined
          ? `"${file}", which sealed the records of the ${service}, is missing`
          : `"${file}" does not contain a secret`,
        advice,
      );
    if (!isSecretOf(known, createSecretBox(secret)))
      return secrets.problem(`The secret of the ${service} is not the one that sealed its records`, advice);
    return secrets.ok(`The secret of the ${service} matches its records`);
  } catch (error) {
    return secrets.problem(
      `The records of the ${service} cannot be read: ${textOf(error)}`,
      "Run this command as the user of the service. If the records are damaged, restore a backup",
    );
  }
}

/** A service that runs has opened its store with the secret: its files change, and are left alone. */
async function checkSecrets(place: DoctorPlace, running: readonly ServiceName[]): Promise<Finding[]> {
  const found = await Promise.all(
    place.services.map(async (service) =>
      running.includes(service)
        ? secrets.ok(`The ${service} runs with the secret that matches its records`)
        : checkSecret(place, service),
    ),
  );
  return found.filter((finding) => finding !== undefined);
}

async function checkBackups({ config, now }: DoctorPlace): Promise<Finding[]> {
  const plan = config.backups;
  if (plan === undefined)
    return [
      backups.warning(
        "Backups are disabled",
        "Set BACKUP_DIR to a folder outside the data folder, preferably on another disk",
      ),
    ];
  let newest: number | undefined;
  try {
    newest = (await openBackupFolder(plan.folder).list())[0]?.createdAt;
  } catch (error) {
    return [
      backups.problem(
        `The backups in "${plan.folder}" cannot be read: ${textOf(error)}`,
        "Check BACKUP_DIR and its owner",
      ),
    ];
  }
  if (newest === undefined)
    return [
      backups.warning(
        `There is no backup in "${plan.folder}" yet`,
        plan.everyHours === 0
          ? 'Create one with "trivet backup". With BACKUP_EVERY=0, backups are not automatic'
          : "The first one is created within minutes after a start. If not, read the log",
      ),
    ];
  const ageHours = (now() - newest) / HOUR_MS;
  const age = `The newest backup in "${plan.folder}" is ${ageHours < 48 ? `${Math.round(ageHours)} hours` : `${Math.round(ageHours / 24)} days`} old`;
  const isLate = plan.everyHours > 0 ? ageHours > 2 * plan.everyHours + 1 : ageHours > 24 * 31;
  return [
    isLate
      ? backups.problem(age, 'Search the log for "The backup failed", and check the disk of BACKUP_DIR')
      : backups.ok(
          plan.keys ? age : `${age}, without the sealing keys. Keep copies of *-secret.json elsewhere`,
        ),
  ];
}

async function checkDatabase({ config, now }: DoctorPlace): Promise<Finding[]> {
  const { databaseUrl: connectionString } = config;
  if (connectionString === undefined) return [];
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined); // told by the query that meets it
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; at: number }>(
      "select current_setting('server_version') as version, extract(epoch from clock_timestamp())::float8 * 1000 as at",
    );
    const { version = "", at = now() } = rows[0] ?? {};
    const findings = [database.ok(`PostgreSQL ${version} responds`)];
    const apartMs = Math.abs(now() - at);
    if (apartMs > 5_000)
      findings.push(
        clock.problem(
          `The clocks of this machine and PostgreSQL differ by ${Math.round(apartMs / 1_000)} s`,
          "Synchronize both machines with NTP",
        ),
      );
    return findings;
  } catch (error) {
    return [
      database.problem(
        `PostgreSQL does not respond: ${textOf(error)}`,
        "Start PostgreSQL, and check DATABASE_URL and its password",
      ),
    ];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Checks all stored data. */
export async function checkRecords(place: DoctorPlace, running: readonly ServiceName[]): Promise<Finding[]> {
  const found = await Promise.all([
    checkFolder(place),
    checkDatabase(place),
    checkSecrets(place, running),
    checkBackups(place),
  ]);
  return found.flat();
}
