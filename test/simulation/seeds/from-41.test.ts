/** Further fixed seeds, for CI: `npm test` runs the first 40. */
import { it } from "node:test";
import { checkSeeds } from "../fixed-seeds.ts";

it("loses nothing and recovers in seeds 41 to 80", () => checkSeeds(41, 80));
