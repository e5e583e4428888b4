/** Hundreds of SIGKILLs and dozens of power cuts to all three services in one process, under load on everything. */
import { cuts, kills, openDisk, openPostgresDisk, toPart } from "./batches.ts";
import type { ChaosCase } from "./case.ts";
import { createDatabase } from "./database.ts";
import { killWriter } from "./kill.ts";
import { createEverything } from "./loads/everything.ts";
import { cutCareless } from "./power-cut.ts";

const all = { services: ["monitor", "auth", "shop"], createLoad: createEverything } as const;

/** On files. */
export const manyFiles: ChaosCase = {
  name: "many-files",
  promise: "hundreds of kills and power cuts on files, under load on everything: nothing lost, nothing twice",
  isAsked: true,
  parts: [
    toPart("all services, kills", { ...kills, ...all, open: async () => ({ env: {} }) }),
    toPart("all services, power cuts on ext4", { ...cuts, ...all, open: openDisk }),
    {
      name: "plain lowdb, answers before it has written",
      isControl: true,
      run: (around) => killWriter(around, "no-wait"),
    },
  ],
};

/** On PostgreSQL. */
export const manyPostgres: ChaosCase = {
  name: "many-postgres",
  promise: "the same on PostgreSQL: the program is killed, or the power of the whole machine goes",
  isAsked: true,
  parts: [
    toPart("all services, kills of the program", {
      ...kills,
      ...all,
      open: async (around) => ({ env: { DATABASE_URL: await createDatabase(around) } }),
    }),
    toPart("all services and the server, power cuts on ext4", { ...cuts, ...all, open: openPostgresDisk }),
    { name: "plain lowdb on a real file system", isControl: true, run: cutCareless },
  ],
};
