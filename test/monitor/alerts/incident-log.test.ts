import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createIncidentBook } from "../../../src/monitor/alerts/incident-log.ts";
import { soleLease } from "../../../src/monitor/cluster/leader-lease.ts";
import { actor } from "../fixtures.ts";
import { createAlertsBench } from "./alerts-bench.ts";

describe("the book of incidents", () => {
  it("keeps an acknowledgement that came while it read the store", async () => {
    const bench = await createAlertsBench();
    await bench.rule({ kind: "offline", graceSeconds: 5 });
    bench.up("s1");
    await bench.pass(1);
    bench.down("s1");
    await bench.pass(20);
    let onRead = async (): Promise<void> => undefined;
    const book = createIncidentBook({
      store: {
        ...bench.store,
        read: async (work) => {
          const found = await bench.store.read(work);
          await onRead();
          return found;
        },
      },
      notices: { enqueue: async () => undefined, wake: () => undefined },
      lease: soleLease,
    });
    const [incident] = await book.load();
    assert.ok(incident !== undefined);
    onRead = async () => book.refresh(await bench.alerts.incidents.acknowledge(incident.id, actor));
    await book.load();
    assert.deepEqual(
      [...book.open.values()].map(({ acknowledgedBy }) => acknowledgedBy),
      [actor.name],
    );
  });
});
