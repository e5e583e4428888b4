/** The contract of rollups in memory. */
import { createMemoryRollups } from "../../src/store/series/rollups/memory-rollups.ts";
import { describeRollupsContract, tiers } from "./rollups-contract.ts";

describeRollupsContract({
  name: "memory",
  open: async (clock) => ({
    rollups: createMemoryRollups({ tiers, clock }),
    reopen: undefined,
    dispose: async () => undefined,
  }),
});
