/** Which machine should run which file of checks, and which one it runs. */
import type { CheckFile } from "../../kit/check-files/check-file.ts";
import { AppError } from "../../kit/errors.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { CheckRecord } from "../checks/schema.ts";
import type { CheckDirectory } from "../checks/standings.ts";
import type { Live } from "../fleet/live.ts";
import type { ServerRecord } from "../base/schema.ts";
import { type MadeCheckFile, makeCheckFile } from "./check-files.ts";
import { type PlaceState, readPlaceState } from "./place-report.ts";

/** How far a machine is with its file. */
export const placeStates = ["current", "outdated", "missing", "unneeded"] as const;

/** A machine as a place of checks. */
export interface CheckPlace {
  readonly serverId: string;
  readonly serverName: string;
  readonly state: (typeof placeStates)[number];
  /** In the file that is ready. */
  readonly checks: number;
  readonly leftOut: number;
  readonly tooNew: number;
  readonly hash: string;
  readonly agentHash?: string | undefined;
  readonly problem?: string | undefined;
  /** ISO 8601. */
  readonly reportedAt?: string | undefined;
}

/** The same with the file itself. */
export interface CheckPlaceFile extends CheckPlace {
  readonly text: string;
  readonly allow: CheckFile["allow"];
  readonly variables: string[];
}

export interface PlaceFilesDeps {
  readonly checks: Pick<CheckDirectory, "records">;
  readonly live: Pick<Live, "get">;
  readonly servers: {
    records(): readonly ServerRecord[];
    findRecord(id: string): ServerRecord | undefined;
  };
}

function toState(file: MadeCheckFile, agent: PlaceState | undefined): CheckPlace["state"] {
  if (agent?.hash === undefined) return "missing";
  if (agent.hash === file.hash) return "current";
  return file.count === 0 ? "unneeded" : "outdated";
}

/** Agents say their level from the second on. */
function toLevel(host: ServerRecord["host"]): number | undefined {
  if (host === undefined) return undefined;
  const { checkLevel } = host;
  return typeof checkLevel === "number" ? checkLevel : 1;
}

/** Reads the current checks and the latest reports. */
export class PlaceFiles {
  readonly #deps: PlaceFilesDeps;

  constructor(deps: PlaceFilesDeps) {
    this.#deps = deps;
  }

  /** The machines that a check names, or that say something of a file; by name. */
  list(): readonly CheckPlace[] {
    const { checks, servers } = this.#deps;
    const records = checks.records();
    const named = new Set(records.flatMap(({ places }) => places.serverIds));
    const all = servers.records().filter(({ id }) => named.has(id) || this.#read(id).agent !== undefined);
    const places = all.map((server) => this.#make(server, records).place);
    return places.toSorted((a, b) => (a.serverName < b.serverName ? -1 : 1));
  }

  /** `allow`: undefined for what the machine allows now. @throws AppError `not_found` */
  get(serverId: string, allow: CheckFile["allow"] | undefined): CheckPlaceFile {
    const { checks, servers } = this.#deps;
    const server = servers.findRecord(serverId);
    if (server === undefined) throw new AppError("not_found", `There is no server "${serverId}"`);
    const { place, file, allowed } = this.#make(server, checks.records(), allow);
    return { ...place, text: file.text, allow: allowed, variables: [...file.variables] };
  }

  #read(serverId: string): { readonly agent: PlaceState | undefined; readonly at: number | undefined } {
    const { latest } = this.#deps.live.get(serverId);
    return { agent: latest && readPlaceState(latest.sample), at: latest?.receivedAt };
  }

  #make(
    { id: serverId, name: serverName, host }: ServerRecord,
    records: readonly CheckRecord[],
    allow?: CheckFile["allow"],
  ): { place: CheckPlace; file: MadeCheckFile; allowed: CheckFile["allow"] } {
    const { agent, at } = this.#read(serverId);
    const allowed = allow ?? [...(agent?.allow ?? [])];
    const file = makeCheckFile(records, { serverId, allow: allowed, level: toLevel(host) });
    const place: CheckPlace = {
      serverId,
      serverName,
      state: toState(file, agent),
      checks: file.count,
      leftOut: file.leftOut,
      tooNew: file.tooNew,
      hash: file.hash,
      ...(agent?.hash === undefined ? {} : { agentHash: agent.hash }),
      ...(agent?.problem === undefined ? {} : { problem: agent.problem }),
      ...(at === undefined ? {} : { reportedAt: toIsoTime(at) }),
    };
    return { place, file, allowed };
  }
}
