/** A power cut after any step on the disk while a service collects: coins. */
import { describe, it } from "node:test";
import { cutEverywhere } from "./power-cuts.ts";

describe("a power cut while a payment service collects (coins)", () => {
  for (const name of ["bepusdt", "tokenpay"])
    it(`leaves shop and service agreeing after any step, with ${name}`, () => cutEverywhere(name));
});
