/**
 * Which secret sealed the records of a service, read without opening its store: a start that lacks the secret must know
 * before it creates one, and a tool must not touch files of a service that runs.
 */
import { nodeFileLayer } from "../kit/files/file-layer.ts";
import type { SecretCheck } from "../records/secret-check.ts";
import { toError } from "../kit/thrown.ts";
import { Content, toBytes } from "../store/journal/content.ts";
import { recover } from "../store/journal/recovery.ts";
import { readPath } from "../store/keys.ts";

/** Where the records of the services are. */
export interface RecordsPlace {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
}

type FingerprintPlace = Pick<SecretCheck, "service" | "place">;

function toFound(document: unknown, { place }: FingerprintPlace): string | undefined {
  const found = readPath(document, place.path);
  return typeof found === "string" && found !== "" ? found : undefined;
}

async function readFromFiles(dataDir: string, check: FingerprintPlace): Promise<string | undefined> {
  const { service, place } = check;
  const store = { files: nodeFileLayer, folder: `${dataDir}/${service}`, name: service };
  const recovered = await recover(store);
  if (recovered === undefined) return undefined;
  const content = await Content.open(nodeFileLayer, recovered);
  try {
    for (const stored of await content.documents(place.collection)) {
      const document: unknown = JSON.parse(toBytes(stored).toString());
      if (readPath(document, ["id"]) === place.id) return toFound(document, check);
    }
    return undefined;
  } finally {
    content.close();
  }
}

async function readFromDatabase(url: string, check: FingerprintPlace): Promise<string | undefined> {
  const { service, place } = check;
  const [{ Client }, { toTableName }, { toUnavailable }] = await Promise.all([
    import("pg").then((pg) => pg.default),
    import("../store/postgres/shape.ts"),
    import("../store/postgres/failures.ts"),
  ]);
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined); // told by the query that meets it
  try {
    await client.connect();
    const table = toTableName(service, place.collection);
    const known = await client.query("select 1 where to_regclass($1) is not null", [table]);
    if (known.rowCount !== 1) return undefined;
    const { rows } = await client.query<{ doc: unknown }>(`select doc from ${table} where id = $1`, [
      place.id,
    ]);
    return toFound(rows[0]?.doc, check);
  } catch (error) {
    throw toUnavailable(toError(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * The fingerprint among the records of a service; undefined while there are none.
 * @throws Error when the records can't be read
 */
export function readFingerprint(
  { dataDir, databaseUrl }: RecordsPlace,
  check: FingerprintPlace,
): Promise<string | undefined> {
  return databaseUrl === undefined ? readFromFiles(dataDir, check) : readFromDatabase(databaseUrl, check);
}
