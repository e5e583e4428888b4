/** Which servers the list shows, and in which order. */
import type { ServerState } from "../../../monitor/base/schema.ts";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { needsLook } from "./server-state.ts";

/** "all" narrows nothing, "look" are those that an administrator should look at. */
export type Kind = "all" | ServerState | "hidden" | "look";
export const kinds = ["all", "online", "offline", "never", "disabled", "hidden", "look"] as const;

/** Whether a server is of this kind. */
export function isOfKind(server: AdminServer, kind: Kind): boolean {
  if (kind === "all") return true;
  if (kind === "hidden") return server.hidden;
  if (kind === "look") return needsLook(server);
  return server.state === kind;
}

function toHaystack({ name, id, group, provider, tags, note, agent }: AdminServer): string {
  return [name, id, group, provider, note, agent.hostname, agent.version ?? "", ...tags]
    .join("\n")
    .toLowerCase();
}

const compareTexts = new Intl.Collator(undefined, { numeric: true }).compare;
const stateRanks: Readonly<Record<ServerState, number>> = { offline: 0, never: 1, online: 2, disabled: 3 };

function compare(a: AdminServer, b: AdminServer, key: string): number {
  switch (key) {
    case "name":
      return compareTexts(a.name, b.name);
    case "state":
      return stateRanks[a.state] - stateRanks[b.state];
    case "group":
      return compareTexts(a.group, b.group);
    case "version":
      return compareTexts(a.agent.version ?? "", b.agent.version ?? "");
    case "seen":
      return (b.lastSeenAt ?? "").localeCompare(a.lastSeenAt ?? "");
    default:
      return a.displayOrder - b.displayOrder;
  }
}

/** The list's query, as "narrow" of the kit receives it. */
export type AskedServers = Readonly<Record<string, string>>;

/** The servers that match: every word of the search is in their texts. "order" is the order on the site. */
export function narrowServers(servers: readonly AdminServer[], asked: AskedServers): readonly AdminServer[] {
  const { q = "", kind: asKind = "", sort = "" } = asked;
  const kind = kinds.find((one) => one === asKind) ?? "all";
  const words = q.toLowerCase().split(/\s+/u).filter(Boolean);
  const turn = sort.startsWith("-") ? -1 : 1;
  return servers
    .filter((server) => isOfKind(server, kind))
    .filter((server) => {
      const haystack = words.length === 0 ? "" : toHaystack(server);
      return words.every((word) => haystack.includes(word));
    })
    .sort((a, b) => turn * compare(a, b, sort.replace(/^-/u, "")) || a.displayOrder - b.displayOrder);
}
