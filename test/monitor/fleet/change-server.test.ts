/** PATCH of a server: what is left out stays as it is. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { code, create } from "../http/requests.ts";

const PATH = "/api/admin/servers/a";
const whole = {
  group: "Frankfurt",
  tags: ["web"],
  region: "DE",
  hidden: true,
  note: "n",
  billing: { priceMinor: 500, currency: "EUR", cycle: { n: 1, unit: "month" } },
  traffic: { limitBytes: 1_000, resetDay: 5 },
  mute: { until: "2030-01-01T00:00:00Z" },
};

describe("changing a server", () => {
  let app: TestApp;

  async function change(body: object): Promise<Record<string, unknown>> {
    const response = await app.admin("PATCH", PATH, body);
    assert.equal(response.status, 200);
    return response.json();
  }

  beforeEach(async () => {
    app = await createTestApp();
    await create(app, "a", whole);
  });

  it("leaves all that it does not name", async () => {
    const before: Record<string, unknown> = await (await app.admin("GET", PATH)).json();
    const after = await change({ publicNote: "Front end" });
    const { publicNote, version, updatedAt: _at, ...rest } = after;
    assert.deepEqual([publicNote, version], ["Front end", 2]);
    const { publicNote: _note, version: _version, updatedAt: _before, ...kept } = before;
    assert.deepEqual(rest, kept);
  });

  it("sets the provider, which is public and can be searched for", async () => {
    assert.equal((await change({ provider: " Hetzner ", hidden: false }))["provider"], "Hetzner");
    const find = async (q: string): Promise<unknown[]> => {
      const answer: { items: { provider?: string }[] } = await (
        await app.fetch(`/api/servers?q=${q}`)
      ).json();
      return answer.items.map(({ provider }) => provider);
    };
    assert.deepEqual([await find("hetz"), await find("ovh")], [["Hetzner"], []]);
    assert.deepEqual(await code(await app.admin("PATCH", PATH, { provider: "x".repeat(65) })), [
      422,
      "invalid",
    ]);
    await change({ provider: "" });
    assert.deepEqual(await find("frankfurt"), [undefined]);
  });

  it("merges the traffic, replaces billing and mute as a whole, and takes them away with null", async () => {
    const { traffic } = await change({ traffic: { limitBytes: 2_000 } });
    assert.deepEqual(traffic, {
      limitBytes: 2_000,
      mode: "sum",
      resetDay: 5,
      timeZone: "UTC",
      usedOffsetBytes: 0,
    });
    assert.deepEqual((await change({ mute: {} }))["mute"], {});
    const gone = await change({ mute: null, billing: null });
    assert.deepEqual([gone["mute"], gone["billing"]], [undefined, undefined]);
    assert.equal(gone["group"], "Frankfurt");
  });

  it("takes stale versions and wrong values as PUT does", async () => {
    await change({ name: "B", version: 1 });
    assert.deepEqual(await code(await app.admin("PATCH", PATH, { name: "C", version: 1 })), [
      409,
      "version_conflict",
    ]);
    for (const wrong of [
      { region: "Germany" },
      { billing: { priceMinor: 1 } },
      { tags: null },
      { id: "b" },
      { keys: [] },
    ])
      assert.deepEqual(await code(await app.admin("PATCH", PATH, wrong)), [422, "invalid"]);
    assert.deepEqual(await code(await app.admin("PATCH", "/api/admin/servers/none", {})), [404, "not_found"]);
  });

  it("shows at once what it publishes", async () => {
    assert.equal((await app.fetch("/api/servers/a")).status, 404);
    await change({ hidden: false });
    assert.equal((await app.fetch("/api/servers/a")).status, 200);
  });
});
