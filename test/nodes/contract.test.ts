/** What the three services promise to any client, word by word, asked through the front. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSeedClient, nextMessage } from "../monitor/ingest/seed-agent.ts";
import { ask, call, cluster, newName } from "./cluster.ts";
import { openViewer } from "./viewer.ts";
import { eventually } from "../support/eventually.ts";

const { monitor, auth, shop, grpc } = cluster.front;

/** Asked twice: the front goes round, so both nodes answer. */
async function askBoth<T>(method: string, url: string, options: Parameters<typeof ask>[2] = {}) {
  return [await ask<T>(method, url, options), await ask<T>(method, url, options)];
}

interface MonitorIndex {
  readonly service: string;
  readonly version: string;
  readonly admin: string[];
  readonly public: string[];
}

describe("the monitor through the front", () => {
  it("describes itself: service, version, admin, public, each route as METHOD path", async () => {
    for (const path of ["/", "/api"])
      for (const { status, body } of await askBoth<MonitorIndex>("GET", `${monitor}${path}`)) {
        assert.equal(status, 200);
        assert.deepEqual(Object.keys(body).toSorted(), ["admin", "public", "service", "version"]);
        assert.equal(typeof body.service, "string");
        assert.equal(typeof body.version, "string");
        const seed = {
          admin: [
            "GET /api/admin/servers",
            "POST /api/admin/servers",
            "PUT /api/admin/servers/:id",
            "DELETE /api/admin/servers/:id",
            "PUT /api/admin/servers/reorder",
            "POST /api/admin/auth",
          ],
          public: ["GET /api/health", "GET /api/servers", "GET /api/ws/monitor"],
        };
        for (const group of ["admin", "public"] as const)
          for (const route of seed[group])
            assert.ok(
              body[group].some((line) => line === route || line.startsWith(`${route} `)),
              `${group} has ${route}: ${body[group].join(", ")}`,
            );
        assert.ok(body.public.some((line) => /grpc/iu.test(line) && line.includes("GRPC_PORT")));
      }
  });

  it("answers health and the list to anyone, and only administrators under /api/admin", async () => {
    for (const { status } of await askBoth("GET", `${monitor}/api/health`)) assert.equal(status, 200);
    for (const { status } of await askBoth("GET", `${monitor}/api/servers`)) assert.equal(status, 200);
    const id = newName("seed");
    for (const [method, path] of [
      ["GET", "/api/admin/servers"],
      ["POST", "/api/admin/servers"],
      ["PUT", `/api/admin/servers/${id}`],
      ["DELETE", `/api/admin/servers/${id}`],
      ["PUT", "/api/admin/servers/reorder"],
    ] as const)
      for (const { status } of await askBoth(method, `${monitor}${path}`))
        assert.deepEqual([method, path, status], [method, path, 401]);
  });

  it("signs an administrator in, for both nodes, and lets servers be made, changed, put in order and deleted", async () => {
    const session = await call<{ token: string }>("POST", `${monitor}/api/admin/auth`, {
      body: { token: cluster.adminToken },
    });
    const options = { token: session.token };
    const ids = [newName("seed"), newName("seed")];
    for (const id of ids)
      await call("POST", `${monitor}/api/admin/servers`, { ...options, body: { id, name: id } });
    const servers = `${monitor}/api/admin/servers`;
    const listed = async (): Promise<string[]> => {
      const answers = await askBoth<{ items: { id: string }[] }>("GET", servers, options);
      const [first, second] = answers.map(({ body }) => body.items.map(({ id }) => id));
      assert.deepEqual(first, second);
      return first ?? [];
    };
    await eventually(async () => assert.deepEqual((await listed()).slice(-2), ids));
    await call("PUT", `${servers}/${ids[0]}`, { ...options, body: { name: "Changed" } });
    const order = (await listed()).toReversed();
    await call("PUT", `${servers}/reorder`, { ...options, body: { ids: order } });
    await eventually(async () => assert.deepEqual(await listed(), order));
    for (const id of ids) assert.equal((await ask("DELETE", `${servers}/${id}`, options)).status, 204);
    await eventually(async () => !(await listed()).some((id) => ids.includes(id)));
  });

  it("takes the agents' stream: hello, heartbeat and metrics, each acknowledged, and shows them on the socket", async () => {
    const id = newName("seed");
    const { agentKey } = await call<{ agentKey: string }>("POST", `${monitor}/api/admin/servers`, {
      admin: true,
      body: { id, name: id },
    });
    const viewer = openViewer(monitor, "snapshot");
    const client = createSeedClient(grpc);
    const stream = client.connect();
    try {
      const at = Date.now();
      stream.write({ hello: { server_id: id, agent_key: agentKey, hostname: "box" } });
      assert.deepEqual(await nextMessage(stream), { payload: "ack", ack: { message: "hello" } });
      stream.write({ heartbeat: {} });
      assert.deepEqual(await nextMessage(stream), { payload: "ack", ack: { message: "heartbeat" } });
      const payload_json = JSON.stringify({ v: 1, cpu: { usagePercent: 12.5 } });
      stream.write({ metrics: { payload_json, collected_at_unix_ms: at } });
      assert.deepEqual(await nextMessage(stream), { payload: "ack", ack: { message: `metrics ${at}` } });
      await eventually(() => assert.equal(viewer.servers.get(id)?.latest?.collectedAt, at));
    } finally {
      stream.end();
      viewer.close();
      client.close();
    }
    await call("DELETE", `${monitor}/api/admin/servers/${id}`, { admin: true });
  });
});

describe("the shop through the front", () => {
  it("describes itself: message, version, timestamp, description, endpoints", async () => {
    for (const path of ["/", "/api"])
      for (const { status, body } of await askBoth<Record<string, unknown>>("GET", `${shop}${path}`)) {
        assert.equal(status, 200);
        const { message, version, timestamp, description, endpoints = {} } = body;
        for (const text of [message, description]) assert.equal(typeof text, "string");
        assert.match(String(version), /^[\d.]+-[\w.]+$/u);
        assert.match(String(timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u);
        assert.deepEqual(Object.keys(endpoints ?? {}).toSorted(), [
          "admin",
          "auth",
          "chat_admin",
          "chat_user",
          "health",
          "orders",
          "public",
          "webhooks",
          "wishlist",
        ]);
        for (const text of Object.values(endpoints ?? {})) assert.equal(typeof text, "string");
      }
  });

  it("opens its public routes to anyone, and no other", async () => {
    const answers: readonly (readonly [string, string, number])[] = [
      ["GET", "/api/health", 200],
      ["GET", "/api/products", 200],
      ["GET", "/api/stats", 200],
      ["GET", "/api/site/info", 200],
      ["POST", "/api/products/none/view", 404],
      ["GET", "/api/orders", 401],
      ["GET", "/api/wishlist", 401],
      ["GET", "/api/chat/messages", 401],
      ["POST", "/api/webhooks/nobody-pay", 404],
      ["GET", "/api/admin/verify", 401],
      ["GET", "/api/admin/products", 401],
      ["GET", "/api/admin/site", 401],
      ["GET", "/api/admin/smtp", 401],
      ["GET", "/api/admin/orders", 401],
      ["GET", "/api/admin/system-status", 401],
      ["GET", "/api/admin/chat/conversations", 401],
    ];
    for (const [method, path, wanted] of answers) {
      const body = method === "POST" ? { body: {} } : {};
      for (const { status } of await askBoth(method, `${shop}${path}`, body))
        assert.deepEqual([method, path, status], [method, path, wanted]);
    }
  });

  it("takes X-Admin-Token under /api/admin", async () => {
    for (const path of [
      "verify",
      "products",
      "site",
      "smtp",
      "orders",
      "system-status",
      "chat/conversations",
    ])
      for (const { status } of await askBoth("GET", `${shop}/api/admin/${path}`, { admin: true }))
        assert.deepEqual([path, status], [path, 200]);
  });
});

describe("the auth center through the front", () => {
  it("describes itself: name, title, description, version, links, routePrefixes", async () => {
    for (const { status, body } of await askBoth<Record<string, unknown>>("GET", `${auth}/`)) {
      assert.equal(status, 200);
      const { links, routePrefixes, ...texts } = body;
      for (const name of ["name", "title", "description", "version"])
        assert.equal(typeof texts[name], "string", name);
      assert.deepEqual(links, { docs: "/swagger/index.html", health: "/api/health" });
      assert.ok(Array.isArray(routePrefixes) && routePrefixes.every((text) => typeof text === "string"));
      for (const prefix of ["/api/auth", "/api/public", "/api/admin"])
        assert.ok(
          routePrefixes.some((text) => String(text).includes(prefix)),
          prefix,
        );
    }
  });

  it("serves health, its documentation and the public routes without a credential", async () => {
    for (const path of [
      "/api/health",
      "/swagger/index.html",
      "/api/public/users",
      "/api/public/registration-policy",
    ])
      for (const { status } of await askBoth("GET", `${auth}${path}`))
        assert.deepEqual([path, status], [path, 200]);
    const headersOfCalls: Record<string, string>[] = [
      {},
      { "x-auth-client": "shop" },
      { "x-auth-client": "Not a name!" },
    ];
    for (const headers of headersOfCalls)
      for (const { status } of await askBoth("GET", `${auth}/api/auth/me`, { headers }))
        assert.equal(status, 401);
  });

  it("takes the administrator's token as X-Admin-Token or as the query parameter token", async () => {
    const path = `${auth}/api/admin/users`;
    for (const { status } of await askBoth("GET", path)) assert.equal(status, 401);
    for (const { status } of await askBoth("GET", path, { admin: true })) assert.equal(status, 200);
    for (const { status } of await askBoth("GET", `${path}?token=${cluster.adminToken}`))
      assert.equal(status, 200);
  });
});
