/** A seed is the same run on Node.js and Deno. */
import { it } from "node:test";
import { compareRuntimes } from "./compare-runtimes.ts";

it("gives the same trace of two nodes of shop and accounts on Deno", () => compareRuntimes("nodes", 0.05));
