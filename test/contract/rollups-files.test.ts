/** The contract of rollups on files: on a disk in memory, and on the real one. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFileRollups } from "../../src/store/series/rollups/file-rollups.ts";
import { FaultyFiles } from "../store/faulty-files.ts";
import { describeRollupsContract, tiers } from "./rollups-contract.ts";

describeRollupsContract({
  name: "files in memory",
  open: async (clock) => {
    const files = new FaultyFiles();
    const open = () => openFileRollups({ folder: "/history", tiers, clock, files });
    const rollups = await open();
    return {
      rollups,
      reopen: async () => {
        await rollups.close();
        return open();
      },
      dispose: () => rollups.close(),
    };
  },
});

describeRollupsContract({
  name: "files",
  open: async (clock) => {
    const folder = await mkdtemp(join(tmpdir(), "trivet-rollups-"));
    const open = () => openFileRollups({ folder: join(folder, "history"), tiers, clock });
    const rollups = await open();
    return {
      rollups,
      reopen: async () => {
        await rollups.close();
        return open();
      },
      dispose: async () => {
        await rollups.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
});
