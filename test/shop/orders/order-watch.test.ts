import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type OrderWatch, createOrderWatch } from "../../../src/shop/orders/watch.ts";

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("createOrderWatch", () => {
  const create = (): OrderWatch => createOrderWatch({ monotonic: () => 0, pollMs: () => 60_000 });

  /** Begins to wait; returns whether it was answered at once. */
  async function begin(
    watch: OrderWatch,
    orderId: string,
    address: string,
    signal = new AbortController().signal,
  ): Promise<"waits" | "answered"> {
    let isAnswered = false;
    const waiting = watch.until(orderId, async () => undefined, { waitMs: 25_000, signal, address });
    void waiting.then(() => (isAnswered = true));
    await settle();
    return isAnswered ? "answered" : "waits";
  }

  it("lets three wait for one order and answers the others at once", async () => {
    const watch = create();
    const seen: string[] = [];
    for (let index = 0; index < 5; index += 1) seen.push(await begin(watch, "o1", `192.0.2.${index}`));
    assert.deepEqual(seen, ["waits", "waits", "waits", "answered", "answered"]);
    assert.equal(await begin(watch, "o2", "192.0.2.1"), "waits");
    watch.close();
  });

  it("lets twenty wait from one address, and more when some have left", async () => {
    const watch = create();
    const gone = new AbortController();
    for (let index = 0; index < 20; index += 1)
      assert.equal(await begin(watch, `o${index}`, "2001:db8::1", gone.signal), "waits");
    assert.equal(await begin(watch, "other", "2001:db8::2"), "answered");
    assert.equal(await begin(watch, "other", "192.0.2.1"), "waits");
    gone.abort();
    await settle();
    assert.equal(await begin(watch, "other", "2001:db8::2"), "waits");
    watch.close();
  });
});
