import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isDeno } from "../support/own-runtime.ts";
import { createTestClient, drain, text } from "./grpc-client.ts";
import { listenerKinds, toOptions } from "./grpc-listeners.ts";

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
});
