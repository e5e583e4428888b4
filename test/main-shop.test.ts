/** The shop in processes of its own: the first sale of docs/shop.md, and the shop without its auth center. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { toRunArguments } from "./support/own-runtime.ts";
import { projectFolder, runProcess } from "./support/process.ts";
import { type Programs, createPrograms, terminate } from "./support/program.ts";

const TOKEN = "a-token-for-this-suite";

let programs: Programs;
beforeEach(async () => {
  programs = await createPrograms();
});
afterEach(() => programs.dispose());

/** Starts auth center and shop in processes of their own, so that one can be stopped alone. */
async function startBoth(): Promise<{ shop: string; auth: string; stopAuth: () => Promise<void> }> {
  const authProgram = programs.run({ ADMIN_TOKEN: TOKEN }, ["auth"]);
  const auth = await programs.authUrl(authProgram);
  const shop = await programs.shopUrl(programs.run({ ADMIN_TOKEN: TOKEN, AUTH_URL: auth }, ["shop"]));
  const stopAuth = async (): Promise<void> => {
    terminate(authProgram);
    await authProgram.ended;
  };
  return { shop, auth, stopAuth };
}

async function request(url: string, method: string, more: { body?: unknown; headers?: object } = {}) {
  const { body, headers } = more;
  return fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

describe("the shop as a program", () => {
  it("makes the first sale with nothing configured", async () => {
    const { shop, auth } = await startBoth();
    const { code, output } = await runProcess({
      command: process.execPath,
      args: toRunArguments("scripts/first-sale.ts"),
      cwd: projectFolder,
      env: { SHOP_URL: shop, AUTH_URL: auth, ADMIN_TOKEN: TOKEN },
    });
    assert.equal(code, 0, output);
    assert.match(output, / has the key TRIVET-AAAA-\d{4}, in the order and by mail$/mu);
    const said = output.trimEnd().split("\n");
    assert.equal(said.length, 7);
    assert.match(said.at(-1) ?? "", /demo payment is off again/u);
  });

  it("has no accounts where no auth center belongs to it, and asks for none", async () => {
    const shop = await programs.shopUrl(programs.run({ ADMIN_TOKEN: TOKEN }, ["shop"]));
    const home = await (await fetch(`${shop}/`, { headers: { accept: "text/html" } })).text();
    assert.doesNotMatch(home, /href="\/(?:sign-in|wishlist|chat|orders)/u);
    assert.match(home, /href="\/find-order"/u);
    const health: { status: string } = await (await fetch(`${shop}/api/health`)).json();
    assert.equal(health.status, "ok");
    const headers = { "x-admin-token": TOKEN };
    const status: { warnings: { code: string }[] } = await (
      await request(`${shop}/api/admin/system-status`, "GET", { headers })
    ).json();
    assert.ok(!status.warnings.some(({ code }) => code === "auth_unavailable"));
    const bearer = { authorization: "Bearer acc_some-token-of-somebody" };
    assert.equal((await request(`${shop}/api/orders`, "GET", { headers: bearer })).status, 401);
  });

  it("goes on without the auth center but for what needs a user, and finds it again", async () => {
    const { shop, auth, stopAuth } = await startBoth();
    const admin = { "x-admin-token": TOKEN };
    const product = {
      title: "By hand",
      price: 100,
      status: "published",
      stockMode: "unlimited",
      deliveryType: "manual",
    };
    const made = await request(`${shop}/api/admin/products`, "POST", { headers: admin, body: product });
    assert.equal(made.status, 201);
    const { id }: { id: string } = await made.json();
    await stopAuth();
    const bearer = { authorization: "Bearer acc_some-token-of-somebody" };
    for (const path of ["/api/orders", "/api/wishlist", "/api/chat/messages"]) {
      const refused = await request(`${shop}${path}`, "GET", { headers: bearer });
      const problem: { code: string } = await refused.json();
      assert.deepEqual([path, refused.status, problem.code], [path, 503, "auth_unavailable"]);
    }
    assert.equal((await request(`${shop}/api/products`, "GET")).status, 200);
    const body = {
      items: [{ productId: id, quantity: 1 }],
      contact: { email: "ann@example.org" },
      consents: { digitalContent: true },
    };
    const bought = await request(`${shop}/api/checkout`, "POST", { body });
    assert.equal(bought.status, 201);
    const { order, accessToken }: { order: { id: string }; accessToken: string } = await bought.json();
    const status = await request(`${shop}/api/orders/${order.id}/payment-status`, "GET", {
      headers: { "x-order-token": accessToken },
    });
    assert.equal(status.status, 200);
    assert.equal((await request(`${shop}/api/webhooks/generic-pay`, "POST", { body: {} })).status, 401);
    const again = programs.run({ ADMIN_TOKEN: TOKEN, AUTH_PORT: new URL(auth).port }, ["auth"]);
    await programs.authUrl(again);
    // The shop asks again within a second; until then it says so.
    for (;;) {
      const { status: found } = await request(`${shop}/api/orders`, "GET", { headers: bearer });
      if (found === 401) break;
      assert.equal(found, 503);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
});
