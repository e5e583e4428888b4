/** A shop from a seed: it survives the faults of fixed seeds, and a seed is the same run each time. */
import { it } from "node:test";
import { checkSeeds } from "./fixed-seeds.ts";

it("loses nothing and recovers in seeds 1 to 40, and a seed is the same run again", () => checkSeeds(1, 40));
