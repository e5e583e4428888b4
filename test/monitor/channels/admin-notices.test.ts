import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { closeReceivers, gotify, openReceiver } from "./notice-bench.ts";

afterEach(closeReceivers);

async function make(app: TestApp, input: object): Promise<{ id: string }> {
  const response = await app.admin("POST", "/api/admin/channels", { name: "one", ...input });
  assert.equal(response.status, 201);
  return response.json();
}

describe("notices of an administrator", () => {
  async function tell(app: TestApp, key: string, channelIds: readonly string[]): Promise<void> {
    await app.store.transact((tx) =>
      app.monitor.notices.enqueue(tx, {
        kind: "firing",
        severity: "critical",
        title: "Web 1 is offline",
        text: "",
        channelIds,
        key,
      }),
    );
  }

  it("are listed the newest first, and tried again", async () => {
    const app = await createTestApp();
    const peer = await openReceiver();
    peer.answer((_request, response) => response.writeHead(404).end());
    const { id } = await make(app, gotify(peer));
    await tell(app, "inc_1:firing", [id]);
    await app.monitor.notices.deliver();
    app.clock.advance(1_000);
    await tell(app, "inc_2:firing", [id]);
    const page = await (await app.admin("GET", "/api/admin/notices?limit=1")).json();
    assert.deepEqual(
      [page.items[0].id, page.items[0].state, page.items[0].channelName],
      [`inc_2:firing:${id}`, "waiting", "one"],
    );
    const next = await (await app.admin("GET", `/api/admin/notices?cursor=${page.nextCursor}`)).json();
    assert.deepEqual([next.items.length, next.items[0].state], [1, "failed"]);
    const failed = await (await app.admin("GET", "/api/admin/notices?state=failed")).json();
    const path = `/api/admin/notices/${encodeURIComponent(failed.items[0].id)}/retry`;
    assert.equal((await app.admin("POST", path)).status, 204);
    peer.answer((_request, response) => void response.end());
    await app.monitor.notices.deliver();
    await app.monitor.notices.close();
    const [, first] = (await (await app.admin("GET", "/api/admin/notices")).json()).items;
    assert.ok(first.attempts > 1);
    assert.equal((await app.admin("POST", "/api/admin/notices/nothing/retry")).status, 404);
  });

  it("refuse to be tried again when they were sent", async () => {
    const app = await createTestApp();
    const peer = await openReceiver();
    const { id } = await make(app, gotify(peer));
    await tell(app, "k", [id]);
    await app.monitor.notices.deliver();
    assert.equal((await app.admin("POST", `/api/admin/notices/k:${id}/retry`)).status, 409);
  });

  it("are for administrators alone, and refuse what is malformed", async () => {
    const app = await createTestApp();
    assert.equal((await app.fetch("/api/admin/notices")).status, 401);
    assert.equal((await app.fetch("/api/admin/notices/a/retry", { method: "POST" })).status, 401);
    assert.equal((await app.admin("GET", "/api/admin/notices?state=lost")).status, 422);
    assert.equal((await app.admin("GET", "/api/admin/notices?cursor=x")).status, 400);
  });

  it("are counted in the metrics", async () => {
    const app = await createTestApp();
    const { id } = await make(app, gotify(await openReceiver()));
    await tell(app, "k", [id]);
    await app.monitor.notices.deliver();
    const text = await (await app.admin("GET", "/metrics")).text();
    assert.match(text, /^trivet_notices_total\{result="sent"\} 1$/mu);
    assert.match(text, /^trivet_notices_total\{result="failed"\} 0$/mu);
    assert.match(text, /^trivet_notices_waiting 0$/mu);
  });
});
