/** The server records that a fleet reports for: made over the admin API once, then kept in a file. */
import { readFile, writeFile } from "node:fs/promises";

/** What one simulated agent needs to connect. */
export interface FleetKey {
  readonly id: string;
  readonly agentKey: string;
}

export interface FleetServersOptions {
  readonly count: number;
  /** HTTP address of the monitor. */
  readonly url: string;
  readonly adminToken: string | undefined;
  /** File that keeps the keys for the next run. */
  readonly keysFile: string | undefined;
}

const AT_ONCE = 8;
const regions = ["ams", "fra", "sin", "nyc", "syd"] as const;

function isKey(value: unknown): value is FleetKey {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    typeof value.id === "string" &&
    "agentKey" in value &&
    typeof value.agentKey === "string"
  );
}

async function loadKeys(path: string | undefined): Promise<FleetKey[]> {
  if (path === undefined) return [];
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return [];
  }
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value) || !value.every(isKey)) throw new Error(`"${path}" is not a file of keys`);
  return value;
}

async function createOne(index: number, options: FleetServersOptions): Promise<FleetKey> {
  const region = regions[index % regions.length] ?? regions[0];
  const response = await fetch(`${options.url}/api/admin/servers`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-admin-token": options.adminToken ?? "" },
    body: JSON.stringify({ name: `fleet-${region}-${index + 1}`, group: region, tags: ["fleet"] }),
  });
  if (response.status !== 201) {
    throw new Error(
      `Creating a server answered ${response.status}: ${(await response.text()).slice(0, 200)}`,
    );
  }
  const answer: unknown = await response.json();
  if (!isKey(answer)) throw new Error("Creating a server answered without id and agentKey");
  return { id: answer.id, agentKey: answer.agentKey };
}

/** The keys of `count` servers: those of the file, and new ones for the rest. */
export async function prepareServers(options: FleetServersOptions): Promise<FleetKey[]> {
  const keys = await loadKeys(options.keysFile);
  const missing = options.count - keys.length;
  if (missing > 0 && options.adminToken === undefined) {
    throw new Error(`${missing} servers have to be made: give --admin-token, or --keys with enough of them`);
  }
  let next = keys.length;
  async function work(): Promise<void> {
    while (next < options.count) {
      const index = next;
      next += 1;
      keys.push(await createOne(index, options));
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, Math.max(0, missing)) }, work));
  if (missing > 0 && options.keysFile !== undefined) {
    await writeFile(options.keysFile, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
  }
  return keys.slice(0, options.count);
}
