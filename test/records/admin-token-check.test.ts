/** The check of the administrator token: wrong ones are limited, a right one is not. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type AdminTokenCheck, createAdminTokenCheck } from "../../src/records/admin-token-check.ts";
import { hashSecret } from "../../src/kit/secrets/admin-token.ts";
import { createLocalLimits } from "../../src/bus/shared-limit.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";

const TOKEN = "adm_a-token-of-many-characters";
const SHORT = "sixteen-letters!";
const FROM = "192.0.2.1";
let clock: FixedClock;
let check: AdminTokenCheck;

beforeEach(() => {
  clock = createFixedClock();
  const tokenHashes = [hashSecret(TOKEN), hashSecret(SHORT)];
  check = createAdminTokenCheck({ limits: createLocalLimits(clock), tokenHashes });
});

function fail(place: "header" | "query"): void {
  for (let i = 0; i < 5; i += 1)
    assert.throws(() => check(`wrong-${i}`, FROM, place), { code: "unauthenticated" });
}

describe("createAdminTokenCheck", () => {
  it("takes the right token also from an address that sent five wrong ones", () => {
    fail("header");
    assert.throws(() => check("wrong-and-longer-than-22-characters", FROM), { code: "rate_limited" });
    assert.doesNotThrow(() => check(TOKEN, FROM));
  });

  it("refuses a token that could be guessed until the address may try again", () => {
    fail("header");
    assert.throws(() => check(SHORT, FROM), { code: "rate_limited" });
    assert.doesNotThrow(() => check(SHORT, "192.0.2.2"));
    clock.advance(30 * 60_000);
    assert.doesNotThrow(() => check(SHORT, FROM));
  });

  it("counts wrong ones in a query apart from those in a header", () => {
    fail("query");
    assert.throws(() => check("wrong", FROM, "query"), { code: "rate_limited" });
    assert.throws(() => check("wrong", FROM, "header"), { code: "unauthenticated" });
    assert.doesNotThrow(() => check(SHORT, FROM, "header"));
  });
});
