import assert from "node:assert/strict";
import { it } from "node:test";
import { withOwnUrls } from "../../src/service/own-outbound.ts";
import { serveHttp } from "../../src/runtime/http/http.ts";

it("withOwnUrls sends to the program's own services, and leaves every other URL to the rules", async () => {
  const seen: string[] = [];
  const listener = await serveHttp({
    hostname: "127.0.0.1",
    port: 0,
    handler: async (request) => {
      seen.push(`${request.headers.get("content-type")} ${await request.text()}`);
      return new Response("ok", { status: 202 });
    },
  });
  const own = `http://127.0.0.1:${listener.port}/backchannel-logout`;
  const outbound = withOwnUrls({ send: async () => ({ kind: "refused", reason: "private" }) }, [own]);
  const request = { method: "POST", contentType: "text/x", body: "a=b" } as const;
  assert.deepEqual(await outbound.send({ ...request, url: own }), {
    kind: "answered",
    status: 202,
    text: "ok",
  });
  assert.deepEqual(await outbound.send({ ...request, url: `${own}?x` }), {
    kind: "refused",
    reason: "private",
  });
  assert.deepEqual(seen, ["text/x a=b"]);
  await listener.close({ graceMs: 0 });
  const outcome = await outbound.send({ ...request, url: own });
  assert.equal(outcome.kind, "failed");
});
