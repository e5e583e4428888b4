/** Warns of nodes with another administrator token, where a database can have several. */
import { type AdminTokenWatchDeps, watchAdminToken } from "../records/admin-token-watch.ts";
import type { ServiceContext } from "./service.ts";
import type { Job } from "./jobs.ts";

/** Looks at the start, and gives the job that goes on looking; on files there is no other process. */
export async function openTokenWatch(
  { config, log, tokenHashes }: ServiceContext,
  { store, box }: Pick<AdminTokenWatchDeps, "store" | "box">,
): Promise<readonly Job[]> {
  if (config.databaseUrl === undefined) return [];
  const run = await watchAdminToken({ store, box, log, tokenHashes });
  return [{ name: "admin-token", everyMs: () => 60_000, run }];
}
