/**
 * An administrator's token in a query: it opens what the documentation says, and stays out of everything that is
 * stored or logged.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLog } from "../../src/kit/observe/log.ts";
import { ADMIN_TOKEN, createTestApp as createAuthTest } from "../auth/app-fixture.ts";
import { createTestApp as createMonitorTest } from "../monitor/app-fixture.ts";
import { createTestShop } from "../shop/app-fixture.ts";
import { authCollections } from "../../src/auth/app/records.ts";
import { monitorCollections } from "../../src/monitor/app/records.ts";
import { shopCollections } from "../../src/shop/app/records.ts";
import {
  type Route,
  type Subject,
  dumpStore,
  listRoutes,
  nextAddress,
  takesJson,
  toPath,
} from "./route-cases.ts";

type Asked = Pick<Subject, "store" | "collections" | "fetch" | "document"> & { readonly lines: string[] };

const lines: string[] = [];
const log = createLog({ level: "debug", write: (line) => lines.push(line) });

async function createSubjects(): Promise<Record<string, Asked>> {
  const auth = await createAuthTest({ log });
  const monitor = await createMonitorTest({ log });
  const shop = await createTestShop({ log });
  const document = async (): Promise<unknown> => (await shop.fetch("/openapi.json")).json();
  return {
    auth: { ...auth, collections: authCollections, lines },
    monitor: { ...monitor, collections: monitorCollections, lines },
    shop: { ...shop, document, collections: shopCollections, lines },
  };
}

/** Every way in which a request with the token can end: done, refused by its body, its place, its method. */
function attempts(subject: Subject, route: Route): { path: string; init: RequestInit }[] {
  const path = toPath(subject, route);
  const headers: Record<string, string> = takesJson(route) ? { "content-type": "application/json" } : {};
  const init = { method: route.method, headers };
  const body = takesJson(route) ? { body: JSON.stringify(route.example) } : {};
  const broken = takesJson(route) ? { body: '{"a":' } : {};
  return [
    { path, init: { ...init, ...body } },
    { path, init: { ...init, ...broken } },
    { path: `${path}/nothing`, init: { ...init, ...broken } },
    { path, init: { ...init, method: "PROPFIND" } },
  ];
}

describe("an administrator's token in a query", () => {
  it("is in no log line, no record, no metric and no answer of any service", async () => {
    for (const [name, asked] of Object.entries(await createSubjects())) {
      const subject: Subject = {
        ...asked,
        name,
        places: () => "0".repeat(26),
        credentials: async () => ({}),
      };
      const routes = (await listRoutes(subject)).filter(({ schemes }) => schemes.includes("adminToken"));
      const statuses = new Set<number>();
      for (const route of routes) {
        for (const { path, init } of attempts(subject, route)) {
          const response = await asked.fetch(`${path}?token=${ADMIN_TOKEN}`, {
            ...init,
            from: nextAddress(),
          });
          statuses.add(response.status);
          for (const [key, value] of response.headers)
            assert.ok(!value.includes(ADMIN_TOKEN), `${path} ${key}`);
          if ((response.headers.get("content-type") ?? "").startsWith("text/event-stream"))
            await response.body?.cancel();
          else assert.ok(!(await response.text()).includes(ADMIN_TOKEN), `${route.method} ${path}`);
        }
      }
      const seen = [...statuses];
      // The documentation promises it for the auth center alone.
      assert.equal(seen.includes(200), name === "auth", seen.join());
      assert.equal(seen.includes(401), name !== "auth", seen.join());
      for (const status of [404, 405]) assert.ok(seen.includes(status), `${name} ${seen.join()}`);
      const admin = { "x-admin-token": ADMIN_TOKEN };
      const told = [
        ...(await dumpStore(subject)),
        await (await asked.fetch("/metrics", { headers: admin })).text(),
        await (await asked.fetch("/api/admin/audit?limit=100", { headers: admin })).text(),
      ];
      assert.deepEqual(
        told.filter((text) => text.includes(ADMIN_TOKEN)),
        [],
      );
      assert.ok(asked.lines.length >= routes.length * 4, String(asked.lines.length));
      assert.deepEqual(
        asked.lines.filter((line) => line.includes(ADMIN_TOKEN)),
        [],
      );
      asked.lines.length = 0;
    }
  });
});
