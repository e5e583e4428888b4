/**
 * `trivet migrate --from PLACE --to PLACE`: moves the records of all services, and the shop's pictures, between a data
 * folder and a PostgreSQL database.
 */
import { readGivenSecrets } from "../../kit/services.ts";
import { resolve } from "node:path";
import { type Command, type Environment, UsageError, readArguments } from "./command.ts";
import { serviceCollections } from "../collections.ts";
import { createDatabasePlace, hidePassword } from "../migration/database-place.ts";
import { createFolderPlace } from "../migration/folder-place.ts";
import { type Migrated, migrate } from "../migration/migrate.ts";
import {
  type MovedPictures,
  type PicturePlace,
  movePictures,
  openPictureFolder,
  openPictureTable,
} from "../migration/pictures.ts";
import type { Place } from "../migration/place.ts";
import { type FollowedSecret, followSecrets } from "../keys/follow-secrets.ts";
import { toSecretRemedy } from "../secrets.ts";

const usage = `Usage: trivet migrate --from PLACE --to PLACE [--secrets FOLDER] [--replace]      (in a clone: npm run migrate -- …)
  PLACE      a data folder, or a database such as postgres://user:password@host/trivet
  --secrets  the data folder with the *-secret.json files of the records (default: DATA_DIR, otherwise data). The
             files are copied when the records move from a database to a folder
  --replace  overwrites existing records in the target (files of a folder are kept next to it)
Stop the services first. The source is not changed.`;

const isDatabase = (text: string): boolean => /^postgres(?:ql)?:\/\//u.test(text);

function toPlace(text: string, now: number): Place {
  if (isDatabase(text)) return createDatabasePlace(text);
  if (/^\w+:\/\//u.test(text))
    throw new UsageError(`"${text.split("@").at(-1)}" is neither a folder nor a postgres:// address`);
  return createFolderPlace(resolve(text), now);
}

function openPictures(text: string, isSource: boolean): Promise<PicturePlace> | PicturePlace {
  if (!isDatabase(text)) return openPictureFolder(resolve(text));
  return openPictureTable(text, { label: `the database ${hidePassword(text)}`, isSource });
}

/** After the records: pictures without a record do no harm, and missing ones are added by the next run. */
async function migratePictures({ from, to }: Wishes): Promise<MovedPictures> {
  const source = await openPictures(from, true);
  try {
    const target = await openPictures(to, false);
    try {
      return await movePictures(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

interface Wishes {
  readonly from: string;
  readonly to: string;
  readonly replace: boolean;
  readonly secrets?: string | undefined;
}

function parseWishes(args: readonly string[]): Wishes {
  const { values, positionals } = readArguments(args, {
    from: { type: "string" },
    to: { type: "string" },
    secrets: { type: "string" },
    replace: { type: "boolean", default: false },
  });
  const { from, to, replace, secrets } = values;
  if (positionals.length > 0 || from === undefined || to === undefined || toAddress(from) === toAddress(to))
    throw new UsageError("Specify two different places with --from and --to");
  return { from, to, replace, secrets };
}

/** The same for two spellings of one folder. */
function toAddress(text: string): string {
  return isDatabase(text) ? text : resolve(text);
}

function describe({ service, state, summary, keptIn }: Migrated): string {
  const lines = [...summary].map(
    ([name, { records, versions, hash }]) =>
      `  ${name.padEnd(20)} ${String(records).padStart(9)} ${String(versions).padStart(11)}  ${hash.slice(0, 12)}`,
  );
  const head = `  ${"collection".padEnd(20)} ${"records".padStart(9)} ${"versions".padStart(11)}  content`;
  const kept = keptIn === undefined ? [] : [`  the previous files of the target are in "${keptIn}"`];
  return [`${service}: ${state}`, ...(lines.length === 0 ? [] : [head, ...lines]), ...kept].join("\n");
}

/** The result for a service's secret, and the remaining steps. */
function describeSecret({ service, state, from }: FollowedSecret, to: string): string {
  const file = `${service}-secret.json`;
  const remedy = toSecretRemedy(service, to);
  switch (state) {
    case "copied":
      return `${service}: copied ${file} from "${from}", the secret that seals these records`;
    case "there":
      return `${service}: ${file} is already in the folder`;
    case "given":
      return `${service}: set ${service.toUpperCase()}_SECRET to the current value when you start the service`;
    case "other":
      return `${service}: ${file} in the folder belongs to other records, so the service would not start. Move that file away, then ${remedy}`;
    case "missing":
      return `${service}: ${file} was not found (use --secrets), and the service does not start with a new one. Before the start, ${remedy}`;
  }
}

/** Into a folder: from the source when that is a folder, else from the data folder that was used with the database. */
async function copySecrets({ from, to, secrets }: Wishes, env: Environment): Promise<void> {
  if (isDatabase(to)) return;
  const given = readGivenSecrets(env.variables);
  const folders = secrets === undefined ? [env.DATA_DIR ?? "data"] : [secrets];
  const sources = [...(isDatabase(from) ? [] : [from]), ...folders].map((folder) => resolve(folder));
  for (const followed of await followSecrets({ to: resolve(to), sources, given }))
    console.log(describeSecret(followed, resolve(to)));
}

async function run(args: readonly string[], env: Environment): Promise<void> {
  const wishes = parseWishes(args);
  const { from, to, replace } = wishes;
  const startMs = performance.now();
  const now = Date.now();
  const services = Object.entries(serviceCollections).map(([name, collections]) => ({ name, collections }));
  const places = { from: toPlace(from, now), to: toPlace(to, now) };
  const results = await migrate({ ...places, replace, services });
  for (const result of results) console.log(describe(result));
  const { pictures, added } = await migratePictures(wishes);
  console.log(`images of the shop: ${pictures} (${added} added)`);
  await copySecrets(wishes, env);
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  console.log(
    `Verified: both sides are equal, ${seconds} s. The records are in ${places.to.label}; ${places.from.label} is unchanged.`,
  );
  console.log(
    isDatabase(to)
      ? "Now start Trivet with DATABASE_URL set to that database, and the same DATA_DIR: recent reports and the secrets (*-secret.json) stay there."
      : "Now start Trivet without DATABASE_URL and with DATA_DIR set to that folder. Recent reports are in no database: if that folder was not the DATA_DIR before, copy monitor/samples from there into it.",
  );
}

export const migrateCommand: Command = { usage, failure: "The migration failed", run };
