/** What GET /metrics shows to whom where METRICS_PUBLIC opens it. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, ADMIN_TOKEN, createTestApp } from "../app-fixture.ts";
import { code, create } from "../http/requests.ts";

describe("GET /metrics that is public", () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createTestApp({ metricsPublic: true });
    for (const [id, hidden] of [
      ["web-1", false],
      ["secret-db", true],
    ] as const) {
      await create(app, id, {
        hidden,
        traffic: { limitBytes: 1_000 },
      });
      app.monitor.live.connected(id);
      app.monitor.live.reported(id, {
        collectedAt: app.clock.now(),
        receivedAt: app.clock.now(),
        sample: { v: 1, cpu: { usagePercent: 5 }, network: { rxTotalBytes: 7 } },
        flags: [],
      });
    }
  });

  const read = async (headers: Record<string, string> = {}): Promise<string> => {
    const answer = await app.fetch("/metrics", { headers });
    assert.equal(answer.status, 200);
    return answer.text();
  };

  it("has nothing of a hidden server for who shows no credential", async () => {
    const readers: Record<string, string>[] = [
      {},
      { cookie: "trivet_monitor_session=ses_ended" },
      { authorization: "Basic b3BzOnNlY3JldA==" },
    ];
    for (const headers of readers) {
      const text = await read(headers);
      assert.match(text, /^trivet_server_up\{server="web-1",name="web-1"\} 1$/mu);
      assert.doesNotMatch(text, /secret-db/u);
    }
  });

  it("has all servers for an administrator, by token and by session, with the same metrics of each", async () => {
    const signIn = await app.fetch("/api/admin/auth", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: ADMIN_TOKEN }),
    });
    const { token }: { token: string } = await signIn.json();
    for (const headers of [
      { "x-admin-token": ADMIN_TOKEN },
      { authorization: `Bearer ${ADMIN_TOKEN}` },
      { authorization: `Bearer ${token}` },
      { cookie: `trivet_monitor_session=${token}` },
    ] as Record<string, string>[]) {
      const text = await read(headers);
      const namesOf = (id: string): string[] =>
        text
          .split("\n")
          .filter((line) => line.includes(`server="${id}"`))
          .map((line) => line.replace(/\{.*/u, ""));
      assert.ok(namesOf("web-1").length >= 5, text);
      assert.deepEqual(namesOf("secret-db"), namesOf("web-1"));
    }
  });

  it("refuses a wrong token rather than to leave servers out without a word, under the same throttle", async () => {
    const ask = (): Promise<Response> =>
      app.fetch("/metrics", { headers: { authorization: "Bearer adm_wrong" } });
    for (let i = 0; i < 5; i += 1) assert.deepEqual(await code(await ask()), [401, "unauthenticated"]);
    assert.deepEqual(await code(await ask()), [429, "rate_limited"]);
  });
});
