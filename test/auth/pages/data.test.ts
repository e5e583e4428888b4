/** Taking one's data along, and ending the account. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { PASSWORD, type TestApp, createTestApp } from "../app-fixture.ts";
import { type Browser, createBrowser, locationOf, signIn } from "./browser.ts";

let app: TestApp;
let browser: Browser;
beforeEach(async () => {
  app = await createTestApp();
  browser = createBrowser(app);
  await app.signUp("ann");
  await signIn(browser, "ann", PASSWORD);
});

describe("the data", () => {
  it("come as a file that no cache keeps", async () => {
    const response = await browser.post("/account/data/export", {});
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.match(response.headers.get("content-disposition") ?? "", /^attachment/u);
    const data: { user: { username: string } } = await response.json();
    assert.equal(data.user.username, "ann");
  });

  it("end with the account, which can be brought back for 14 days", async () => {
    const wrong = await browser.post("/account/data/delete", { confirmation: "bob" });
    assert.match(await wrong.text(), /id="field-confirmation-fault"/u);
    assert.equal(
      locationOf(await browser.post("/account/data/delete", { confirmation: "Ann" })),
      "/sign-in?done=deleted",
    );
    assert.equal(locationOf(await browser.get("/account")), "/sign-in");
    assert.equal((await signIn(browser, "ann", PASSWORD)).status, 401);
    await browser.get("/restore");
    const back = await browser.post("/restore", { identifier: "ann", password: PASSWORD });
    assert.equal(locationOf(back), "/account?done=restored");
    assert.match(
      await (await browser.get("/account?done=restored")).text(),
      /Your account has been restored/u,
    );
  });
});
