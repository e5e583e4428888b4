/** API keys: the same at each service. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { apiKeys } from "../../../src/records/rights/schema.ts";
import type { ScopedService } from "../../../src/records/rights/scopes.ts";
import { createKey, createService, readProblem } from "./services.ts";

const DAY_MS = 86_400_000;
const services: readonly ScopedService[] = ["auth", "monitor", "shop"];

for (const name of services) {
  describe(`API keys of ${name}`, () => {
    it("change what their scopes name, and the audit names the key", async () => {
      const service = await createService(name);
      const { scope, method, path, body } = service.change;
      const { key } = await createKey(service, { name: "CI", scopes: [scope] });
      const init = { method, body: JSON.stringify(body) };
      const changed = await service.withKey(key, path, init);
      assert.ok(changed.ok, await changed.clone().text());
      const reading = await createKey(service, { name: "Reader", scopes: [scope.replace("write", "read")] });
      const refused = await readProblem(await service.withKey(reading.key, path, init));
      assert.deepEqual([refused.status, refused.code], [403, "insufficient_scope"]);
      const audit: { items: { actor: string }[] } = await (
        await service.admin("GET", "/api/admin/audit")
      ).json();
      assert.equal(audit.items.filter(({ actor }) => actor === "key CI").length, 1);
    });

    it("open what their scopes name, and the audit tells who created them", async () => {
      const service = await createService(name);
      const { scope, path, other } = service.opened;
      const { key } = await createKey(service, { name: "Grafana", scopes: [scope] });
      assert.match(key, /^key_[\w-]{43}[0-9a-f]{6}$/u);
      assert.equal((await service.withKey(key, path)).status, 200);
      const { key: foreign } = await createKey(service, { name: "Other", scopes: [other] });
      const refused = await readProblem(await service.withKey(foreign, path));
      assert.deepEqual([refused.status, refused.code], [403, "insufficient_scope"]);
      assert.match(refused.detail, new RegExp(scope, "u"));
      const audit: { items: { action: string; target: string; actor: string }[] } = await (
        await service.admin("GET", "/api/admin/audit?action=api-key.")
      ).json();
      assert.deepEqual(
        audit.items.map(({ action, target }) => `${action} ${target}`),
        ["api-key.create Other", "api-key.create Grafana"],
      );
    });

    it("are shown once and kept as a hash", async () => {
      const service = await createService(name);
      const { key, id } = await createKey(service, { name: "CI", scopes: [service.opened.scope] });
      const list = await (await service.admin("GET", "/api/admin/api-keys")).text();
      assert.ok(list.includes(id) && !list.includes(key));
      const record = await service.store.read((tx) => tx.get(apiKeys, id));
      assert.ok(!JSON.stringify(record).includes(key.slice(12)));
    });

    it("open no route of keys, whatever their scopes are", async () => {
      const service = await createService(name);
      const { id, key } = await createKey(service, { name: "CI", scopes: [service.opened.scope] });
      const body = JSON.stringify({ name: "More", scopes: [service.opened.scope] });
      const path = "/api/admin/api-keys";
      for (const [at, init] of [
        [path, {}],
        [path, { method: "POST", body }],
        [`${path}/${id}`, { method: "PATCH", body: JSON.stringify({ expiresAt: null }) }],
        [`${path}/${id}`, { method: "DELETE" }],
      ] as const) {
        const { status, code } = await readProblem(await service.withKey(key, at, init));
        assert.deepEqual([status, code], [403, "insufficient_scope"], at);
      }
    });

    it("end at the next request of another node, too", async () => {
      const service = await createService(name, 2);
      const { scope, path } = service.opened;
      const { id, key } = await createKey(service, { name: "CI", scopes: [scope] });
      assert.equal((await service.withKey(key, path, { node: 1 })).status, 200);
      assert.equal((await service.admin("DELETE", `/api/admin/api-keys/${id}`)).status, 204);
      for (const node of [0, 1]) {
        const { status, code } = await readProblem(await service.withKey(key, path, { node }));
        assert.deepEqual([status, code], [401, "token_invalid"]);
      }
      assert.equal((await service.admin("DELETE", `/api/admin/api-keys/${id}`)).status, 404);
    });

    it("say why they are refused: expired, wrong network, mistyped", async () => {
      const service = await createService(name);
      const { scope, path } = service.opened;
      const expiresAt = new Date(service.clock.now() + DAY_MS).toISOString();
      const networks = ["203.0.113.0/24", "2001:DB8::/32", "::ffff:198.51.100.7"];
      const fields = { scopes: [scope], expiresAt, networks };
      const { id, key } = await createKey(service, { name: "CI", ...fields });
      for (const from of ["203.0.113.9", "::ffff:203.0.113.9", "2001:db8::1", "198.51.100.7"])
        assert.equal((await service.withKey(key, path, { from })).status, 200, from);
      for (const from of ["203.0.114.9", "2001:db9::1", "198.51.100.8", "::ffff:192.0.2.1"]) {
        const refused = await readProblem(await service.withKey(key, path, { from }));
        assert.deepEqual([refused.status, refused.code], [403, "forbidden"], from);
        assert.ok(refused.detail.includes(from), refused.detail);
      }
      const mistyped = await readProblem(await service.withKey(`${key.slice(0, -1)}x`, path));
      assert.deepEqual([mistyped.status, mistyped.code], [401, "token_invalid"]);
      assert.match(mistyped.detail, /is malformed/u);
      service.clock.advance(DAY_MS);
      const late = await readProblem(await service.withKey(key, path, { from: "203.0.113.9" }));
      assert.deepEqual([late.status, late.code], [401, "token_invalid"]);
      assert.match(late.detail, /"CI" expired at /u);
      const change = { expiresAt: null, networks: [], name: "Pipeline" };
      assert.equal((await service.admin("PATCH", `/api/admin/api-keys/${id}`, change)).status, 200);
      assert.equal((await service.withKey(key, path)).status, 200);
    });

    it("note their last use every five minutes, with the network alone", async () => {
      const service = await createService(name);
      const { scope, path } = service.opened;
      const { id, key } = await createKey(service, { name: "CI", scopes: [scope] });
      const readUse = async () => {
        const record = await service.store.read((tx) => tx.get(apiKeys, id));
        return [record?.lastUsedFrom, (record?.lastUsedAt ?? 0) - (record?.createdAt ?? 0), record?.version];
      };
      await service.withKey(key, path, { from: "203.0.113.9" });
      assert.deepEqual(await readUse(), ["203.0.113.0/24", 0, 2]);
      service.clock.advance(299_000);
      await service.withKey(key, path, { from: "2001:db8:1:2::3" });
      assert.deepEqual(await readUse(), ["203.0.113.0/24", 0, 2]);
      service.clock.advance(1_000);
      await Promise.all([1, 2, 3].map(() => service.withKey(key, path, { from: "2001:db8:1:2::3" })));
      assert.deepEqual(await readUse(), ["2001:db8:1::/48", 300_000, 3]);
    });

    it("have names of their own, scopes of this service and an end that is to come", async () => {
      const service = await createService(name);
      const { scope } = service.opened;
      await createKey(service, { name: "CI", scopes: [scope] });
      const foreign = name === "shop" ? "users:read" : "orders:read";
      const cases: readonly [object, number, string][] = [
        [{ name: "ci", scopes: [scope] }, 409, "already_exists"],
        [{ name: "A", scopes: [] }, 422, "invalid"],
        [{ name: "A", scopes: [foreign] }, 422, "invalid"],
        [{ name: "A", scopes: ["administrator"] }, 422, "invalid"],
        [{ name: "A", scopes: [scope], networks: ["300.1.1.1"] }, 422, "invalid"],
        [{ name: "A", scopes: [scope], networks: ["10.0.0.0/33"] }, 422, "invalid"],
        [{ name: "A", scopes: [scope], expiresAt: "2001-01-01T00:00:00Z" }, 422, "invalid"],
      ];
      for (const [fields, status, code] of cases) {
        const refused = await readProblem(await service.admin("POST", "/api/admin/api-keys", fields));
        assert.deepEqual([refused.status, refused.code], [status, code], JSON.stringify(fields));
      }
    });
  });
}

describe("API keys at their limits", () => {
  it("are 100 a service, however many are created at once", async () => {
    const service = await createService("monitor", 2);
    const { scope } = service.opened;
    for (let i = 0; i < 92; i += 1) await createKey(service, { name: `Key ${i}`, scopes: [scope] });
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        service.admin("POST", "/api/admin/api-keys", { name: `At once ${i}`, scopes: [scope] }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 8);
    assert.equal(answers.filter(({ status }) => status === 409).length, 8);
    assert.equal(await service.store.read((tx) => tx.count(apiKeys)), 100);
  });

  it("may send 600 requests a minute, and no other key pays for it", async () => {
    const service = await createService("monitor");
    const { scope, path } = service.opened;
    const busy = await createKey(service, { name: "Busy", scopes: [scope] });
    const calm = await createKey(service, { name: "Calm", scopes: [scope] });
    for (let i = 0; i < 600; i += 1) assert.equal((await service.withKey(busy.key, path)).status, 200);
    const refused = await service.withKey(busy.key, path);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    assert.equal((await service.withKey(calm.key, path)).status, 200);
  });

  it("are no guesses: wrong ones are limited by address", async () => {
    const service = await createService("monitor");
    const { scope, path } = service.opened;
    const { key } = await createKey(service, { name: "CI", scopes: [scope] });
    const wrong = `key_${"A".repeat(49)}`;
    const statuses: number[] = [];
    for (let i = 0; i < 31; i += 1) statuses.push((await service.withKey(wrong, path)).status);
    assert.deepEqual([statuses[29], statuses[30]], [401, 429]);
    assert.equal((await service.withKey(key, path)).status, 200);
  });
});
