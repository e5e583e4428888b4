/** All cases of `npm run chaos`, in the order in which they run. */
import { authDown } from "./auth-down.ts";
import { backup } from "./backup.ts";
import { shopBooks } from "./books.ts";
import type { ChaosCase } from "./case.ts";
import { clock } from "./clock.ts";
import { corrupt } from "./corrupt.ts";
import { diskFull } from "./disk-full.ts";
import { fileErrors } from "./file-errors.ts";
import { halfOpen } from "./half-open.ts";
import { kill } from "./kill.ts";
import { manyFiles, manyPostgres } from "./many.ts";
import { memory, slowReaders } from "./memory.ts";
import { powerCut } from "./power-cut.ts";
import { natsDown, natsHangs, postgresDown, postgresHangs } from "./servers-down.ts";
import { rot } from "./rot.ts";
import { sigterm } from "./sigterm.ts";
import { slowDisk } from "./slow-disk.ts";
import { smtp } from "./smtp.ts";
import { twoProcesses } from "./two-processes.ts";

export const chaosCases: readonly ChaosCase[] = [
  kill,
  powerCut,
  diskFull,
  fileErrors,
  slowDisk,
  twoProcesses,
  corrupt,
  rot,
  backup,
  clock,
  authDown,
  postgresDown,
  postgresHangs,
  natsDown,
  natsHangs,
  smtp,
  sigterm,
  halfOpen,
  memory,
  slowReaders,
  manyFiles,
  manyPostgres,
  shopBooks,
];
