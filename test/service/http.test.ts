import assert from "node:assert/strict";
import { it } from "node:test";
import { loadConfig } from "../../src/config.ts";
import { listAddresses } from "../../src/service/http.ts";

it("listAddresses puts the pages under each other, with their consoles, and IPv6 addresses in brackets", () => {
  assert.deepEqual(listAddresses({ config: loadConfig({ HOST: "::1" }) }, "auth", 8082), [
    "auth     http://[::1]:8082/",
    "         administration  http://[::1]:8082/admin (sign in with the administrator token)",
    "         API documents   http://[::1]:8082/swagger/index.html",
  ]);
  const [monitor] = listAddresses({ config: loadConfig({ HOST: "127.0.0.1" }) }, "monitor", 8080);
  assert.equal(monitor, "monitor  http://127.0.0.1:8080/");
  const [, shop] = listAddresses({ config: loadConfig({ HOST: "127.0.0.1" }) }, "shop", 8081);
  assert.ok(shop?.includes("http://127.0.0.1:8081/admin"), shop);
});
