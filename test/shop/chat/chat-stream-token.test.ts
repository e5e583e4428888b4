/** Streams of the chat whose token is revoked. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { postSystemMessage } from "../../../src/shop/chat/messages.ts";
import type { UserCheckResult } from "../../../src/shop/users/user-check.ts";
import { START } from "../../support/fixed-clock.ts";
import { type TestShop, createTestShop } from "../app-fixture.ts";
import { type EventReader, openStream } from "./chat-fixture.ts";

describe("a stream whose token is looked at again each minute", () => {
  async function createApp(): Promise<{
    app: TestShop;
    set: (result: UserCheckResult) => void;
    asked: () => number;
  }> {
    const user = { id: "usr_ann", username: "ann", displayName: "ann", emailVerified: true };
    let result: UserCheckResult = { status: "valid", user };
    let count = 0;
    const app = await createTestShop({
      userCheck: {
        validateRequest: async ({ headers }) => {
          count += 1;
          assert.equal(headers.get("authorization"), "Bearer token-ann");
          return result;
        },
        readAddresses: async () => ({ status: "known", addresses: [] }),
      },
    });
    const set = (next: UserCheckResult): void => {
      result = next;
    };
    return { app, set, asked: () => count };
  }

  async function nextAfter(app: TestShop, stream: EventReader, ms: number): Promise<unknown> {
    app.clock.advance(ms);
    const next = stream.next();
    await app.shop.chat.follow();
    return next;
  }

  it("ends once the token is refused, before anything more is sent", async () => {
    const { app, set } = await createApp();
    const stream = await openStream(app, "ann");
    await stream.state();
    set({ status: "refused" });
    assert.deepEqual(await nextAfter(app, stream, 59_999), { comment: "beat" });
    await app.store.transact((tx) =>
      postSystemMessage(tx, { userId: "usr_ann", body: "not for you any more", nowMs: START }),
    );
    assert.equal(await nextAfter(app, stream, 1), undefined);
    assert.equal(app.shop.chat.openPlaces(), 0);
  });

  it("ends when the token is another user's, and lives on while the auth center is away", async () => {
    const { app, set, asked } = await createApp();
    const stream = await openStream(app, "ann");
    await stream.state();
    set({ status: "auth_unavailable", retryAfterSeconds: 1 });
    const before = asked();
    assert.deepEqual(await nextAfter(app, stream, 60_000), { comment: "beat" });
    assert.deepEqual(await nextAfter(app, stream, 60_000), { comment: "beat" });
    assert.equal(asked(), before + 2);
    const other = { id: "usr_ben", username: "ben", displayName: "ben", emailVerified: true };
    set({ status: "valid", user: other });
    assert.equal(await nextAfter(app, stream, 60_000), undefined);
  });
});
