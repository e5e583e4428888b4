import assert from "node:assert/strict";
import { createConnection } from "node:net";
import { describe, it } from "node:test";
import { open } from "../../hostile/grpc-flood-cases.ts";
import { isDeno } from "../../support/own-runtime.ts";
import { createGate, createTestClient, drain, text } from "./grpc-client.ts";
import { listenerKinds, toOptions } from "./grpc-listeners.ts";
import { toFrame, toPreface } from "./http2-frames.ts";

describe("the gRPC server", () => {
  it("is nice-grpc's", { skip: isDeno && "there it runs in the child" }, async () => {
    const [inProcess = assert.fail()] = listenerKinds;
    const listener = await inProcess.serve(
      toOptions({
        "/test.T/Run": async function* (requests) {
          yield Buffer.from(new Error("Where this runs").stack ?? "");
          await drain(requests);
        },
      }),
    );
    const client = createTestClient(`127.0.0.1:${listener.port}`);
    assert.match(text(await client.open("/test.T/Run").next()) ?? "", /node_modules.nice-grpc/u);
    client.close();
    await listener.close({ graceMs: 0 });
  });

  for (const kind of listenerKinds) {
    it(`takes 2,000 messages of one frame one after another (${kind.name})`, async () => {
      const all = createGate<number>();
      const listener = await kind.serve(
        toOptions({
          "/test.T/Run": async function* (requests) {
            let count = 0;
            for await (const message of requests) count += message.byteLength;
            all.open(count);
            yield new Uint8Array();
          },
        }),
      );
      const message = Buffer.from([0, 0, 0, 0, 1, 7]);
      const frame = toFrame({ type: 0, flags: 1, stream: 1, payload: Buffer.alloc(12_000, message) });
      const socket = createConnection(listener.port, "127.0.0.1");
      socket.write(Buffer.concat([toPreface(), open(1, "Run"), frame]));
      assert.equal(await all.promise, 2_000);
      socket.destroy();
      await listener.close({ graceMs: 0 });
    });
  }
});
