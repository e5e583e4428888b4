/** What the form of a check offers: groups and tags in use, and machines that can ask. */
import type { AdminServer } from "../../../../monitor/fleet/view-schema.ts";
import { usePolled } from "../../../ui/console/polled.ts";
import { type ServerList, SERVERS } from "../../server-data.ts";
import { type CheckNames, CHECKS } from "../check-data.ts";

const none: readonly never[] = [];

/** The choices; empty until they are known. */
export function useFormChoices(): CheckNames & { readonly servers: readonly AdminServer[] } {
  const names = usePolled<CheckNames>(`${CHECKS}/names`, 0).data;
  const servers = usePolled<ServerList>(SERVERS, 0).data?.items;
  return { groups: names?.groups ?? none, tags: names?.tags ?? none, servers: servers ?? none };
}
