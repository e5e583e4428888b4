/** The places from which checks are made, by name. */
import { text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { type ServerList, SERVERS } from "../server-data.ts";

/** The monitor itself among places; all others are ids of servers. */
export const CENTER = "center";

/** Names of servers by id; empty until they are known. */
export function usePlaceNames(): ReadonlyMap<string, string> {
  const servers = usePolled<ServerList>(SERVERS, 0).data?.items ?? [];
  return new Map(servers.map(({ id, name }) => [id, name]));
}

/** What a place is called; an id that belongs to no server any more stands for itself. */
export function toPlaceName(place: string, names: ReadonlyMap<string, string>): string {
  return place === CENTER ? text("admin.check.place.center") : (names.get(place) ?? place);
}
