/** A seed is the same run on Node.js and Deno. */
import { it } from "node:test";
import { compareRuntimes } from "./compare-runtimes.ts";

it("gives the same trace of shop and accounts on Deno", () => compareRuntimes("install", 0.2));
