/** The administrators' stream of the chat. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ADMIN_TOKEN, code, createTestShop } from "../app-fixture.ts";
import { type Message, type State, openStream, reply, write } from "./chat-fixture.ts";

function counters({ status, unreadUser, unreadAdmin }: State): unknown[] {
  return [status, unreadUser, unreadAdmin];
}

describe("GET /api/admin/chat/stream", () => {
  it("begins with what is unread, then goes in step with all users", async () => {
    const app = await createTestShop();
    await write(app, "ann", "unread");
    await write(app, "ben", "read");
    await app.admin("POST", "/api/admin/chat/conversations/usr_ben/read", {});
    const admin = await openStream(app, undefined);
    const first = await admin.state();
    assert.deepEqual([first.id, ...counters(first)], ["usr_ann", "open", 0, 1]);
    const user = await openStream(app, "ben");
    await user.state();
    await write(app, "ben", "again");
    await reply(app, "ben", "answer");
    for (const stream of [admin, user]) {
      const told: Message[] = [await stream.message(), await stream.message()];
      assert.deepEqual(
        told.map(({ seq, conversationId, body }) => [seq, conversationId, body]),
        [
          [3, "usr_ben", "again"],
          [4, "usr_ben", "answer"],
        ],
      );
      assert.deepEqual(counters(await stream.state()), ["open", 1, 1]);
    }
    await app.admin("POST", "/api/admin/chat/conversations/usr_ann/assign", { assignee: "Kim" });
    const assigned = await admin.state();
    assert.deepEqual([assigned.id, assigned.assignee], ["usr_ann", "Kim"]);
    await admin.cancel();
    await user.cancel();
  });

  it("tells, behind Last-Event-ID, messages and changes that were missed", async () => {
    const app = await createTestShop();
    await write(app, "ann", "1");
    await app.admin("POST", "/api/admin/chat/conversations/usr_ann/read", {});
    await write(app, "ben", "2");
    await app.admin("POST", "/api/admin/chat/conversations/usr_ben/read", {});
    await app.admin("POST", "/api/admin/chat/conversations/usr_ann/status", { status: "resolved" });
    const headers = { "last-event-id": "1" };
    const admin = await openStream(app, undefined, { headers });
    assert.equal((await admin.message()).body, "2");
    const states = [await admin.state(), await admin.state()];
    assert.deepEqual(
      states.map(({ id, status }) => [id, status]),
      [
        ["usr_ben", "open"],
        ["usr_ann", "resolved"],
      ],
    );
    await admin.cancel();
  });

  it("is for administrators, 100 at once", async () => {
    const app = await createTestShop();
    assert.deepEqual(await code(await app.send("GET", "/api/admin/chat/stream")), [401, "unauthenticated"]);
    const asUser = await app.send("GET", "/api/admin/chat/stream", { as: "ann" });
    assert.deepEqual(await code(asUser), [401, "unauthenticated"]);
    const streams = [];
    for (let i = 0; i < 100; i += 1) streams.push(await openStream(app, undefined));
    const headers = { "x-admin-token": ADMIN_TOKEN };
    const more = await app.send("GET", "/api/admin/chat/stream", { headers });
    assert.deepEqual(await code(more), [429, "rate_limited"]);
    for (const stream of streams) await stream.cancel();
  });
});
