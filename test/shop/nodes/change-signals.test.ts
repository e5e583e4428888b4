/** Ids of changes between processes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLocalBus } from "../../../src/bus/local.ts";
import { createLocalHub } from "../../support/local-hub.ts";
import { createChangeSignals } from "../../../src/shop/nodes/change-signals.ts";
import {} from "../chat/chat-fixture.ts";
import { until } from "../../support/eventually.ts";

type Ids = readonly string[] | undefined;

describe("createChangeSignals", () => {
  it("sends the ids of a moment together and once, only to the others", async () => {
    const hub = createLocalHub();
    const [a, b] = [createChangeSignals(hub.join("a")), createChangeSignals(hub.join("b"))];
    const [own, received]: [Ids[], Ids[]] = [[], []];
    a.listen("orders", (ids) => own.push(ids));
    b.listen("orders", (ids) => received.push(ids));
    b.listen("chat", () => assert.fail("another topic"));
    a.send("orders", ["ord_1", "ord_2"]);
    a.send("orders", ["ord_2", "ord_3"]);
    await until(() => received.length > 0);
    assert.deepEqual([own, received], [[], [["ord_1", "ord_2", "ord_3"]]]);
    a.send("orders", ["ord_1"]);
    await until(() => received.length > 1);
    assert.deepEqual(received[1], ["ord_1"]);
  });

  it("says that anything may have changed when there are too many, and when the bus is back", async () => {
    const hub = createLocalHub();
    const [a, b] = [createChangeSignals(hub.join("a")), createChangeSignals(hub.join("b"))];
    const received: Ids[] = [];
    b.listen("products", (ids) => received.push(ids));
    a.send(
      "products",
      Array.from({ length: 501 }, (_, n) => `prd_${n}`),
    );
    await until(() => received.length === 1);
    hub.setConnected("b", false);
    hub.setConnected("b", true);
    assert.deepEqual(received, [undefined, undefined]);
  });

  it("asks for a read of the store each second without a bus, and seldom with one", () => {
    const hub = createLocalHub();
    const shared = createChangeSignals(hub.join("a"));
    assert.deepEqual(
      [
        createChangeSignals(undefined).pollMs(),
        createChangeSignals(createLocalBus("x")).pollMs(),
        shared.pollMs(),
      ],
      [1_000, 1_000, 5_000],
    );
    hub.setConnected("a", false);
    assert.equal(shared.pollMs(), 1_000);
  });

  it("sends what is gathered when it ends, and drops what is no change signal", async () => {
    const failures: string[] = [];
    const hub = createLocalHub((topic) => failures.push(topic));
    const bus = hub.join("a");
    const [a, b] = [createChangeSignals(bus), createChangeSignals(hub.join("b"))];
    const received: Ids[] = [];
    b.listen("settings", (ids) => received.push(ids));
    bus.publish("settings", { ids: "all" });
    a.send("settings", []);
    a.close();
    await until(() => received.length === 1);
    assert.deepEqual([received, failures], [[[]], ["topic.settings"]]);
    b.close();
    a.send("settings", []);
    a.close();
    await new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
    assert.equal(received.length, 1);
  });
});
