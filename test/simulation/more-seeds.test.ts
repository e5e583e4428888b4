/** The second half of the fixed seeds, beside the first. */
import { it } from "node:test";
import { checkSeeds } from "./fixed-seeds.ts";

it("loses nothing and recovers in seeds 101 to 200", () => checkSeeds(101, 200));
