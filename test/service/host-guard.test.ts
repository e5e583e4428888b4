/** DNS rebinding: on loopback a page of another name that leads to this machine gets nothing, proxies and own names go on. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadConfig } from "../../src/config.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import { guardHost } from "../../src/service/hosts/host-guard.ts";

async function ask(
  host: string,
  { env = {}, port = 8081, own = "" }: { env?: Record<string, string>; port?: number; own?: string } = {},
): Promise<Response> {
  const handler = guardHost(() => new Response("data"), {
    config: loadConfig(env),
    log: silentLog,
    port: () => port,
    ownsHost: (hostname) => hostname === own,
  });
  return handler(new Request(`http://${host}/api/products`), { remoteAddress: "127.0.0.1" });
}

const statusOf = async (...asked: Parameters<typeof ask>): Promise<number> => (await ask(...asked)).status;

describe("host names on loopback", () => {
  it("of others that lead straight to the listener are rejected, with what to do", async () => {
    for (const host of [
      "evil.example:8081",
      "EVIL.example.:8081",
      "127.0.0.1.evil.example:8081",
      "rbndr.us:8081",
    ])
      assert.equal(await statusOf(host), 421, host);
    const problem = await ask("evil.example:8081");
    assert.ok(problem.headers.get("x-request-id"));
    const { code, detail }: { code: string; detail: string } = await problem.json();
    assert.equal(code, "misdirected");
    assert.match(
      detail,
      /"evil\.example" is not a host name of this service\. Open http:\/\/127\.0\.0\.1:8081, or set/u,
    );
    assert.equal(await statusOf("evil.example", { port: 80 }), 421);
  });

  it("that cannot be pointed here from outside are served", async () => {
    const names = [
      "127.0.0.1",
      "localhost",
      "[::1]",
      "192.0.2.1",
      "auth",
      "nas.local",
      "app.localhost",
      "trivet.internal",
    ];
    for (const name of names) assert.equal(await statusOf(`${name}:8081`), 200, name);
    for (const name of ["localhost", "[::1]"]) assert.equal(await statusOf(name, { port: 80 }), 200, name);
  });

  it("that a proxy passes on, without our port, are served", async () => {
    assert.equal(await statusOf("shop.example.org"), 200);
    assert.equal(await statusOf("shop.example.org:8443"), 200);
    assert.equal(await statusOf("shop.example.org:8081", { port: 80 }), 200);
  });

  it("that are configured, or those of status pages, are served", async () => {
    const env = { SHOP_PUBLIC_URL: "http://shop.example.org:8081" };
    assert.equal(await statusOf("Shop.Example.org:8081", { env }), 200);
    assert.equal(await statusOf("evil.example:8081", { env }), 421);
    assert.equal(await statusOf("status.example.org:8081", { own: "status.example.org" }), 200);
  });

  it("are not looked at where the listener is not on loopback", async () => {
    for (const HOST of ["0.0.0.0", "::", "192.0.2.1"])
      assert.equal(await statusOf("any.example:8081", { env: { HOST } }), 200);
    for (const HOST of ["::1", "localhost", "127.0.0.2"])
      assert.equal(await statusOf("any.example:8081", { env: { HOST } }), 421);
  });
});
