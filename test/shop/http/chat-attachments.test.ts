/** Pictures in the chat. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { jpeg, png } from "../../auth/pictures.ts";
import type { TestShop } from "../app-fixture.ts";
import { code, createTestShop, read } from "../app-fixture.ts";
import { reply, write } from "../chat-fixture.ts";

const MESSAGES = "/api/chat/messages";

async function sendPicture(
  app: TestShop,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.fetch("/api/chat/attachments", {
    method: "POST",
    headers: { authorization: "Bearer token-ann", "content-type": "image/png", ...headers },
    body: bytes,
  });
}

describe("POST /api/chat/attachments", () => {
  it("keeps a picture that messages can name", async () => {
    const app = await createTestShop();
    const picture = await read<{ hash: string }>(await sendPicture(app, png(640, 480)), 201);
    assert.deepEqual(picture, {
      hash: picture.hash,
      mediaType: "image/png",
      width: 640,
      height: 480,
      bytes: png(640, 480).length,
      url: `/api/images/${picture.hash}`,
    });
    const message = await write(app, "ann", "", { attachments: [picture.hash], clientId: "p" });
    assert.deepEqual(message.attachments, [picture]);
    const answered = await reply(app, "ann", "I see", { attachments: [picture.hash] });
    assert.deepEqual(answered.attachments, [picture]);
    const again = { body: "", attachments: [picture.hash], clientId: "p" };
    assert.equal((await app.send("POST", MESSAGES, { as: "ann", body: again })).status, 200);
  });

  it("refuses what is no picture, too large, or too much", async () => {
    const app = await createTestShop();
    const text = new TextEncoder().encode("<svg/>");
    assert.deepEqual(await code(await sendPicture(app, text)), [422, "invalid"]);
    const svg = await sendPicture(app, text, { "content-type": "image/svg+xml" });
    assert.deepEqual(await code(svg), [415, "unsupported_media_type"]);
    assert.deepEqual(await code(await sendPicture(app, jpeg(9_000, 1))), [422, "invalid"]);
    const large = new Uint8Array(5_242_881);
    large.set(png(1, 1));
    assert.deepEqual(await code(await sendPicture(app, large)), [413, "too_large"]);
    for (let i = 0; i < 18; i += 1) await sendPicture(app, png(1, 1));
    assert.deepEqual(await code(await sendPicture(app, png(1, 1))), [429, "rate_limited"]);
  });
});
