/** The last of the fixed seeds, beside the others. */
import { it } from "node:test";
import { checkSeeds } from "./fixed-seeds.ts";

it("loses nothing and recovers in seeds 121 to 200", () => checkSeeds(121, 200));
