/** Names of the locations of checks. */
import { text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { type ServerList, SERVERS } from "../server-data.ts";

/** The monitor itself among locations; the others are IDs of servers. */
export const MONITOR = "";

/** Names of servers by ID; empty until they are known. */
export function useLocationNames(): ReadonlyMap<string, string> {
  const servers = usePolled<ServerList>(SERVERS, 0).data?.items ?? [];
  return new Map(servers.map(({ id, name }) => [id, name]));
}

/** The name of a location; an unknown server ID is shown as it is. */
export function toLocationName(location: string, names: ReadonlyMap<string, string>): string {
  return location === MONITOR ? text("admin.check.place.center") : (names.get(location) ?? location);
}

/** The monitor first, then servers. */
export function listLocations(of: {
  readonly monitor: boolean;
  readonly serverIds: readonly string[];
}): readonly string[] {
  return of.monitor ? [MONITOR, ...of.serverIds] : of.serverIds;
}
