/** Pages of a service below a path: what their scripts ask, and where they lead on by themselves. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAppHarness } from "../app-harness.ts";

describe("a page below a path", () => {
  it("puts the path before what the pages' scripts ask, and before where a page leads on by itself", async () => {
    const { app } = createAppHarness({ basePath: "/shop" });
    app.get("/wait", (c) => {
      c.header("refresh", "0; url=/pay");
      return c.html(
        '<meta http-equiv="refresh" content="10; url=/orders/1?wait=1"/><div data-wait="/orders/1/state" data-action="/sign-in/passkey" data-next="/account"></div><input value="/account"/>',
      );
    });
    app.get("/leave", (c) => {
      c.header("refresh", "0; url=https://pay.example/");
      return c.html('<meta http-equiv="refresh" content="0; url=//pay.example/"/>');
    });
    const wait = await app.request("/shop/wait");
    assert.equal(wait.headers.get("refresh"), "0; url=/shop/pay");
    assert.equal(
      await wait.text(),
      '<meta http-equiv="refresh" content="10; url=/shop/orders/1?wait=1"/><div data-wait="/shop/orders/1/state" data-action="/shop/sign-in/passkey" data-next="/account"></div><input value="/account"/>',
    );
    const leave = await app.request("/shop/leave");
    assert.equal(leave.headers.get("refresh"), "0; url=https://pay.example/");
    assert.equal(await leave.text(), '<meta http-equiv="refresh" content="0; url=//pay.example/"/>');
  });
});
