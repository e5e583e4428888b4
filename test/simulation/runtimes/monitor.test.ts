/** A seed is the same run on Node.js and Deno. */
import { it } from "node:test";
import { compareRuntimes } from "./compare-runtimes.ts";

it("gives the same trace of two monitors on Deno", () => compareRuntimes("monitor", 0.05, 2));
