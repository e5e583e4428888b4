/** Shared by the pages about servers: where they are, and the names that they use. */
import type { AdminServer } from "../../monitor/fleet/view-schema.ts";

export type { AdminServerList as ServerList } from "../../monitor/fleet/view-schema.ts";

export const SERVERS = "/api/admin/servers";
export const ENROLMENTS = "/api/admin/enrolments";

/** The path of one server's record. */
export function toServerPath(id: string): string {
  return `${SERVERS}/${encodeURIComponent(id)}`;
}

function listDistinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== "").sort((a, b) => a.localeCompare(b));
}

/** All groups in use, in the order of their names. */
export function listGroups(servers: readonly Pick<AdminServer, "group">[]): readonly string[] {
  return listDistinct(servers.map(({ group }) => group));
}

/** All providers in use, in the order of their names. */
export function listProviders(servers: readonly AdminServer[]): readonly string[] {
  return listDistinct(servers.map(({ provider }) => provider));
}

/** All tags in use, in the order of their names. */
export function listTags(servers: readonly Pick<AdminServer, "tags">[]): readonly string[] {
  return listDistinct(servers.flatMap(({ tags }) => tags));
}
