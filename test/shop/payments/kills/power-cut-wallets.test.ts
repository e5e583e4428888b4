/** A power cut after any step on the disk while a service collects: wallets. */
import { describe, it } from "node:test";
import { cutEverywhere } from "./power-cuts.ts";

describe("a power cut while a payment service collects (wallets)", () => {
  for (const name of ["alipay", "wechat", "epay"])
    it(`leaves shop and service agreeing after any step, with ${name}`, () => cutEverywhere(name));
});
