/**
 * The sealing keys of services. Backups exclude them by default, so that a stolen backup opens nothing
 * that is sealed; a restore takes those along that were in the folder.
 */
import { type ServiceName, serviceNames } from "../../kit/services.ts";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import { readKeptFile, writeKeptFile } from "../../kit/files/kept-file.ts";
import { type FollowOptions, followSecrets } from "./follow-secrets.ts";
import { toKeyFile } from "./key-files.ts";

/** The result for a key that a backup omits. */
export interface RestoredKey {
  readonly service: ServiceName;
  readonly name: string;
  /** "kept": it was in the folder and sealed these records. "given": by its variable. */
  readonly state: "kept" | "given" | "missing";
}

export interface KeyPlaces extends Pick<FollowOptions, "given"> {
  /** The folder that was restored. */
  readonly data: string;
  /** Where its former content is. */
  readonly keptIn: string | undefined;
}

/** Records in a database don't say which key sealed them: the one that was there stays. */
async function keepUnproved({ data, keptIn }: KeyPlaces, name: string): Promise<RestoredKey["state"]> {
  const text = keptIn === undefined ? undefined : await readKeptFile(nodeFileLayer, `${keptIn}/${name}`);
  if (text === undefined) return "missing";
  await writeKeptFile(nodeFileLayer, { folder: data, name }, text);
  return "kept";
}

/** Puts the keys that a backup leaves out back where they were in the folder before. */
export async function bringKeys(
  withoutKeys: readonly string[],
  places: KeyPlaces,
): Promise<readonly RestoredKey[]> {
  const { data, keptIn, given } = places;
  const lacking = serviceNames.filter((service) => withoutKeys.includes(toKeyFile(service)));
  if (lacking.length === 0) return [];
  const sources = keptIn === undefined ? [] : [keptIn];
  const followed = new Map(
    (await followSecrets({ to: data, sources, given })).map(({ service, state }) => [service, state]),
  );
  const keys: RestoredKey[] = [];
  for (const service of lacking) {
    const name = toKeyFile(service);
    const known = followed.get(service);
    const state =
      known === "copied" || known === "there"
        ? "kept"
        : known === "given" || given[service] !== undefined
          ? "given"
          : known === undefined
            ? await keepUnproved(places, name)
            : "missing";
    keys.push({ service, name, state });
  }
  return keys;
}
