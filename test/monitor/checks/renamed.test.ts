/** `locations` of checks, which was `places`, and other renamed parts of the monitor's API: both names for one release. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { z } from "zod";
import type { Directory } from "../../../src/monitor/checks/directory.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { createCheckBench } from "./check-bench.ts";
import { found } from "../alerts/fake-checks.ts";

const CHECKS = "/api/admin/checks";
const target = { kind: "tcp", host: "db.example.org", port: 5_432 };
const places = { center: false, serverIds: ["web-1"], quorum: 1 };
const locations = { monitor: false, serverIds: ["web-1"], quorum: 1 };
const problem = z.object({ errors: z.array(z.object({ pointer: z.string(), message: z.string() })) });

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

async function send(method: "POST" | "PUT" | "PATCH", path: string, body: object): Promise<unknown> {
  const response = await app.admin(method, path, body);
  assert.ok(response.ok, await response.clone().text());
  return response.json();
}

async function conflictOf(response: Response): Promise<readonly [string | undefined, boolean]> {
  assert.equal(response.status, 422);
  const [error] = problem.parse(await response.json()).errors;
  return [error?.pointer, /"places".*"locations"/u.test(error?.message ?? "")];
}

const view = z.object({ id: z.string(), places: z.unknown(), locations: z.unknown() });

describe("locations of a check", () => {
  for (const [name, given] of [
    ["locations", { locations }],
    ["places", { places }],
    ["both names", { locations, places }],
  ] as const)
    it(`are set by ${name}, and returned under both`, async () => {
      const created = view.parse(await send("POST", CHECKS, { name: "one", target, ...given }));
      const path = `${CHECKS}/${created.id}`;
      await send("PUT", path, { name: "one", target });
      const replaced = view.parse(await send("PUT", path, { name: "one", target, ...given }));
      const shown = view.parse(await (await app.admin("GET", path)).json());
      for (const each of [created, replaced, shown])
        assert.deepEqual([each.locations, each.places], [locations, places]);
    });

  it("are changed in part by either name", async () => {
    const { id } = view.parse(await send("POST", CHECKS, { name: "one", target, locations }));
    const path = `${CHECKS}/${id}`;
    const first = view.parse(await send("PATCH", path, { locations: { monitor: true } }));
    assert.deepEqual(first.locations, { ...locations, monitor: true });
    const second = view.parse(await send("PATCH", path, { places: { quorum: "all" } }));
    assert.deepEqual(second.locations, { monitor: true, serverIds: ["web-1"], quorum: "all" });
  });

  it("are invalid under both names with different values", async () => {
    const unlike = { name: "one", target, locations, places: { ...places, center: true } };
    const { id } = view.parse(await send("POST", CHECKS, { name: "one", target }));
    for (const [method, path] of [
      ["POST", CHECKS],
      ["POST", `${CHECKS}/test`],
      ["PUT", `${CHECKS}/${id}`],
      ["PATCH", `${CHECKS}/${id}`],
    ] as const)
      assert.deepEqual(await conflictOf(await app.admin(method, path, unlike)), ["/locations", true], path);
  });
});

describe("results of a check by location", () => {
  it("come under both names, and the monitor itself has no server", async () => {
    const bench = await createCheckBench();
    const { id } = await bench.make("one", { failures: 1 });
    bench.targets.answers.set("192.0.2.1", { fault: "refused", detail: "ECONNREFUSED" });
    await bench.pass(60);
    const { standing } = await (await bench.app.admin("GET", `${CHECKS}/${id}`)).json();
    const [result] = standing.locations;
    assert.deepEqual(standing.places, [{ place: "center", ...result }]);
    assert.deepEqual([result.isDown, result.serverId], [true, undefined]);
    const { items } = await (await bench.app.admin("GET", `${CHECKS}/${id}/events`)).json();
    assert.deepEqual([items[0].locations, items[0].places], [{ monitor: true, serverIds: [] }, ["center"]]);
  });

  it("have a history by `serverId`, which was `place`", async () => {
    const { id } = view.parse(
      await send("POST", CHECKS, { name: "one", target, locations: { serverIds: ["web-1"] } }),
    );
    const status = async (query: string): Promise<number> =>
      (await app.admin("GET", `${CHECKS}/${id}/history?${query}`)).status;
    for (const query of ["", "place=center", "place=web-1", "serverId=web-1", "serverId=web-1&place=web-1"])
      assert.equal(await status(query), 200, query);
    assert.deepEqual(
      [await status("serverId=web-2"), await status("serverId=web-1&place=center")],
      [404, 422],
    );
  });

  it("come with alerts under both names", async () => {
    await app.monitor.checkWatch.tick();
    const { id } = view.parse(await send("POST", CHECKS, { name: "one", target }));
    // `as`: what fills the directory knows it whole.
    (app.monitor.checkDirectory as Directory).take({
      id,
      version: 1,
      revision: 1,
      state: "down",
      since: app.clock.now(),
      places: [found({ fault: "timeout", detail: "ETIMEDOUT" })],
    });
    app.clock.advance(1_000);
    app.monitor.tick();
    await app.monitor.alerts.tick();
    const [incident] = (await (await app.admin("GET", "/api/admin/incidents")).json()).items;
    assert.deepEqual(
      [incident.found.locations, incident.found.places],
      [{ monitor: true, serverIds: [] }, ["center"]],
    );
  });
});

interface Member {
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Member>>;
  readonly items?: Member;
}

describe("renamed routes and the OpenAPI document", () => {
  let document: {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, never>>>>>>;
  };
  before(async () => {
    document = await (await (await createTestApp()).fetch("/openapi.json")).json();
  });

  for (const [path, old] of [
    ["/api/admin/notifications", "/api/admin/notices"],
    ["/api/admin/check-locations", "/api/admin/check-places"],
  ] as const)
    it(`have ${path}, which was ${old}`, async () => {
      const [present, before] = await Promise.all([app.admin("GET", path), app.admin("GET", old)]);
      assert.deepEqual([present.status, await present.json()], [200, await before.json()]);
      const isDeprecated = (each: string): unknown => document.paths[each]?.["get"]?.["deprecated"] ?? false;
      assert.deepEqual([isDeprecated(path), isDeprecated(old)], [false, true]);
    });

  it("retry a notification by both paths", async () => {
    for (const path of ["notifications", "notices"])
      assert.equal((await app.admin("POST", `/api/admin/${path}/none/retry`)).status, 404, path);
  });

  it("mark old names of members as deprecated", () => {
    const content = z.object({
      content: z.object({ "application/json": z.object({ schema: z.unknown() }) }),
    });
    const schemaOf = (found: unknown): Member =>
      content.parse(found).content["application/json"].schema as Member;
    const checks: Readonly<Record<string, Readonly<Record<string, unknown>>>> = document.paths[CHECKS] ?? {};
    const body = schemaOf(checks["post"]?.["requestBody"]);
    const responses = z.record(z.string(), z.unknown()).parse(checks["post"]?.["responses"]);
    const shown = schemaOf(responses["201"]);
    for (const members of [body.properties, shown.properties, shown.properties?.["standing"]?.properties])
      assert.deepEqual(
        [members?.["places"]?.deprecated, members?.["locations"]?.deprecated],
        [true, undefined],
      );
    const history: Readonly<Record<string, unknown>> =
      document.paths[`${CHECKS}/{id}/history`]?.["get"] ?? {};
    const parameters = z
      .array(z.object({ name: z.string(), deprecated: z.boolean().optional(), schema: z.looseObject({}) }))
      .parse(history["parameters"]);
    const { deprecated, schema } = parameters.find(({ name }) => name === "place") ?? assert.fail("no place");
    assert.ok(deprecated ?? schema["deprecated"]);
  });
});
