/** A clock that jumps, as an administrator or NTP sets it: what has expired once stays dead, and nothing lives longer. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { Browser } from "../pages/browser.ts";
import { type Party, type Suite, openSuite } from "./conformance/suite.ts";

const DAY_MS = 86_400_000;
/** Less than what makes sessions count as from the future, which would end all of this by itself. */
const BACK_MS = 600_000;

let suite: Suite;
let party: Party;
let browser: Browser;
beforeEach(async () => {
  suite = await openSuite();
  party = await suite.register("suite");
  browser = await suite.openBrowser();
});

const getCode = async (): Promise<URL> =>
  (await suite.travel(browser, party.toRequest())).callback ?? assert.fail("No answer");

async function isLive(token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return (await suite.askUserinfo({ method: "GET", headers })).status === 200;
}

/** Forward and back again, with a request in between. */
async function jumpForthAndBack(ms: number): Promise<void> {
  suite.center.clock.jump(ms);
  await isLive("acc_nothing");
  suite.center.clock.jump(-ms);
}

describe("a clock that jumps", () => {
  it("forth and back revives no code", async () => {
    const callback = await getCode();
    await jumpForthAndBack(61_000);
    await assert.rejects(party.redeem(callback), { error: "invalid_grant" });
  });

  it("back does not lengthen a code's minute", async () => {
    const callback = await getCode();
    suite.center.clock.jump(-BACK_MS);
    suite.center.clock.advance(61_000);
    await assert.rejects(party.redeem(callback), { error: "invalid_grant" });
  });

  it("forth and back revives no access token, and the refresh token goes on", async () => {
    const tokens = await party.enter(browser);
    await jumpForthAndBack(16 * 60_000);
    assert.equal(await isLive(tokens.access_token), false);
    assert.equal(await isLive((await party.renew(tokens.refresh_token ?? "")).access_token), true);
  });

  it("back does not lengthen an access token's quarter of an hour", async () => {
    const tokens = await party.enter(browser);
    suite.center.clock.jump(-BACK_MS);
    assert.equal(await isLive(tokens.access_token), true);
    suite.center.clock.advance(16 * 60_000);
    assert.equal(await isLive(tokens.access_token), false);
  });

  it("forth and back revives no refresh token and no sign-in of a browser", async () => {
    const tokens = await party.enter(browser);
    await jumpForthAndBack(366 * DAY_MS);
    await assert.rejects(party.renew(tokens.refresh_token ?? ""), { error: "invalid_grant" });
    const { callback } = await suite.travel(browser, party.toRequest({ prompt: "none" }));
    assert.equal(callback?.searchParams.get("error"), "login_required");
  });

  it("back does not make an old proof new: max_age asks all the same", async () => {
    await party.enter(browser);
    suite.center.clock.jump(-BACK_MS);
    suite.center.clock.advance(120_000);
    const asked = party.toRequest({ prompt: "none", max_age: "60" });
    const { callback } = await suite.travel(browser, asked);
    assert.equal(callback?.searchParams.get("error"), "login_required");
  });

  it("back does not make a code good twice, nor spare what it opened", async () => {
    const callback = await getCode();
    const tokens = await party.redeem(callback);
    suite.center.clock.jump(-BACK_MS);
    suite.center.clock.advance(30_000);
    await assert.rejects(party.redeem(callback), { error: "invalid_grant" });
    assert.equal(await isLive(tokens.access_token), false);
  });
});
