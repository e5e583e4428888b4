/** A power cut after any step on the disk while a service collects: cards. */
import { describe, it } from "node:test";
import { cutEverywhere } from "./power-cuts.ts";

describe("a power cut while a payment service collects (cards)", () => {
  for (const name of ["stripe", "paypal"])
    it(`leaves shop and service agreeing after any step, with ${name}`, () => cutEverywhere(name));
});
