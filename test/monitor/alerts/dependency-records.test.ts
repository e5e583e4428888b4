/** Dependencies as administrators set them: parents that exist, no circle, and none that was deleted. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type TestApp, createTestApp } from "../app-fixture.ts";

const target = { kind: "tcp", host: "db.example.org", port: 5_432 };

async function check(app: TestApp, name: string, dependsOn: readonly string[] = []): Promise<string> {
  const response = await app.admin("POST", "/api/admin/checks", { name, target, dependsOn });
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()).id;
}

async function server(app: TestApp, id: string, dependsOn: readonly string[] = []): Promise<void> {
  const response = await app.admin("POST", "/api/admin/servers", { id, name: id, dependsOn });
  assert.equal(response.status, 201, await response.clone().text());
}

async function read(app: TestApp, path: string): Promise<readonly string[]> {
  const response = await app.admin("GET", `/api/admin/${path}`);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()).dependsOn;
}

describe("dependencies of checks and servers", () => {
  it("refuse a circle and name its path", async () => {
    const app = await createTestApp();
    const router = await check(app, "router-1");
    await server(app, "web-1", [router]);
    const shop = await check(app, "shop", ["web-1"]);
    const circle = await app.admin("PATCH", `/api/admin/checks/${router}`, { dependsOn: [shop] });
    assert.equal(circle.status, 422);
    const { errors } = await circle.json();
    assert.equal(errors[0].pointer, "/dependsOn");
    assert.match(errors[0].message, /router-1 → shop → web-1 → router-1/u);
    const self = await app.admin("PATCH", "/api/admin/servers/web-1", { dependsOn: ["web-1"] });
    assert.equal(self.status, 422);
    assert.match((await self.json()).errors[0].message, /web-1 → web-1/u);
    const put = await app.admin("PUT", "/api/admin/servers/web-1", { name: "web-1", dependsOn: [shop] });
    assert.equal(put.status, 422);
    assert.deepEqual(await read(app, `checks/${router}`), []);
    assert.deepEqual(await read(app, "servers/web-1"), [router]);
  });

  it("refuse parents that do not exist, repeated ones, and too many", async () => {
    const app = await createTestApp();
    const id = await check(app, "shop");
    for (const [dependsOn, expected] of [
      [["nobody"], /no check or server/u],
      [[id, id], /repeat/u],
      [Array.from({ length: 9 }, (_, index) => `s${index}`), /8/u],
    ] as const) {
      const response = await app.admin("POST", "/api/admin/checks", { name: "two", target, dependsOn });
      assert.equal(response.status, 422);
      assert.match(await response.text(), expected);
    }
  });

  it("lose a parent that is deleted, alone or with others", async () => {
    const app = await createTestApp();
    const routers = [
      await check(app, "router-1"),
      await check(app, "router-2"),
      await check(app, "router-3"),
    ];
    await server(app, "web-1", routers);
    const shop = await check(app, "shop", ["web-1", ...routers]);
    await app.admin("DELETE", `/api/admin/checks/${routers[0]}`);
    assert.deepEqual(await read(app, "servers/web-1"), routers.slice(1));
    const bulk = await app.admin("POST", "/api/admin/checks/bulk", {
      action: "delete",
      ids: routers.slice(1),
    });
    assert.equal(bulk.status, 200);
    assert.deepEqual(await read(app, "servers/web-1"), []);
    assert.deepEqual(await read(app, `checks/${shop}`), ["web-1"]);
    assert.equal((await app.admin("DELETE", "/api/admin/servers/web-1")).status, 204);
    assert.deepEqual(await read(app, `checks/${shop}`), []);
    // Another server with that ID is not its parent.
    await server(app, "web-1");
    assert.deepEqual(await read(app, `checks/${shop}`), []);
  });

  it("keep on PATCH what it leaves out, and forget on PUT", async () => {
    const app = await createTestApp();
    const router = await check(app, "router-1");
    await server(app, "web-1", [router]);
    await app.admin("PATCH", "/api/admin/servers/web-1", { note: "rack 4" });
    assert.deepEqual(await read(app, "servers/web-1"), [router]);
    await app.admin("PUT", "/api/admin/servers/web-1", { name: "web-1" });
    assert.deepEqual(await read(app, "servers/web-1"), []);
  });

  it("cannot become a circle by two changes at once, nor fail on null", async () => {
    const app = await createTestApp();
    const [one, two] = [await check(app, "one"), await check(app, "two")];
    const answers = await Promise.all([
      app.admin("PATCH", `/api/admin/checks/${one}`, { dependsOn: [two] }),
      app.admin("PATCH", `/api/admin/checks/${two}`, { dependsOn: [one] }),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 422],
    );
    const cleared = await app.admin("PATCH", `/api/admin/checks/${one}`, { dependsOn: null });
    assert.equal(cleared.status, 422);
    await app.admin("PATCH", `/api/admin/checks/${one}`, { dependsOn: [] });
    assert.deepEqual(await read(app, `checks/${one}`), []);
  });

  it("are shown with their states and how much is behind them, to administrators alone", async () => {
    const app = await createTestApp();
    const router = await check(app, "router-1");
    await server(app, "web-1", [router]);
    const shop = await check(app, "shop", ["web-1"]);
    const show = async (id: string) => (await app.admin("GET", `/api/admin/dependencies/${id}`)).json();
    const top = await show(router);
    assert.deepEqual(top.behind, { checks: 1, servers: 1 });
    assert.deepEqual(top.children, [{ type: "server", id: "web-1", name: "web-1", state: "unknown" }]);
    assert.deepEqual((await show(shop)).parents, top.children);
    assert.equal((await app.admin("GET", "/api/admin/dependencies/nobody")).status, 404);
    const visitor = await app.fetch("/api/servers/web-1");
    assert.equal(visitor.status, 200);
    assert.ok(!(await visitor.text()).includes(router), "visitors see no dependencies");
  });

  it("show the members of a group for the check that judges it alone", async () => {
    const app = await createTestApp();
    const group = "Web";
    const add = async (body: object): Promise<string> =>
      (await (await app.admin("POST", "/api/admin/checks", { target, ...body })).json()).id;
    await app.admin("POST", "/api/admin/servers", { id: "web-1", name: "web-1", group });
    await app.admin("POST", "/api/admin/servers", { id: "other", name: "other", group: "Lab" });
    const paused = await add({ name: "old", group, paused: true });
    const shop = await add({ name: "shop", group });
    const judge = await add({ name: "Web", group, target: { kind: "group", group } });
    const members = async (id: string): Promise<unknown> =>
      (await (await app.admin("GET", `/api/admin/dependencies/${id}`)).json()).members;
    assert.deepEqual(await members(judge), [
      { type: "server", id: "web-1", name: "web-1", state: "unknown" },
      { type: "check", id: shop, name: "shop", state: "unknown" },
      { type: "check", id: paused, name: "old", state: "paused" },
    ]);
    assert.deepEqual(await members(shop), []);
  });
});
