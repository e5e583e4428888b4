/** Histories of the first half of payment services, and those that were found. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeHistories, kinds, run } from "./voices/service-histories.ts";
import type { ServiceStep } from "./voices/service-steps.ts";
import type { Happening } from "./voices/voice.ts";

for (const kind of kinds.slice(0, 4)) describeHistories(kind);

describe("orders under histories of services that were found", () => {
  const say = (what: Happening, order = 0): ServiceStep => ({ kind: "says", what, order, other: 0 });
  const giveBack: ServiceStep = { kind: "giveBack", order: 0, amount: "whole" };
  const repeat: ServiceStep = { kind: "repeat", notice: 0, times: 1, isForged: false };

  it("know a payment again that Epay calls given back by now", async () => {
    const answers = await run("epay", [say("paid"), giveBack, repeat]);
    assert.deepEqual(answers, ["says paid applied", "giveBack ok", "repeat duplicate"]);
  });

  it("take a payment whose notice was dismissed before it was true", async () => {
    const answers = await run("epay", [say("lie"), { kind: "dismiss", notice: 0 }, repeat, say("paid")]);
    assert.deepEqual(answers, [
      "says lie unavailable",
      "dismiss ok",
      "repeat duplicate",
      "says paid applied",
    ]);
  });

  it("give back what Stripe collected, also after a dispute about it was won", async () => {
    const answers = await run("stripe", [say("paid"), say("dispute"), say("disputeWon"), giveBack]);
    assert.deepEqual(answers.at(-1), "giveBack ok");
  });

  it("book refunds of two trades that Alipay calls by the same number", async () => {
    const answers = await run("alipay", [say("paid"), say("paid", 1), say("refund"), say("refund", 1)]);
    assert.deepEqual(answers.slice(2), ["says refund applied", "says refund applied"]);
  });
});
