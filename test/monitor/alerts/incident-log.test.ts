import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createIncidentLog } from "../../../src/monitor/alerts/incident-log.ts";
import { soleLease } from "../../../src/monitor/cluster/leader-lease.ts";
import { actor } from "../fixtures.ts";
import { createAlertsBench } from "./alerts-bench.ts";

describe("incident log", () => {
  it("keeps an acknowledgement that came while it read the store", async () => {
    const bench = await createAlertsBench();
    await bench.rule({ kind: "offline", graceSeconds: 5 });
    bench.up("s1");
    await bench.pass(1);
    bench.down("s1");
    await bench.pass(20);
    let onRead = async (): Promise<void> => undefined;
    const incidentLog = createIncidentLog({
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
    const [incident] = await incidentLog.load();
    assert.ok(incident !== undefined);
    onRead = async () => incidentLog.refresh(await bench.alerts.incidents.acknowledge(incident.id, actor));
    await incidentLog.load();
    assert.deepEqual(
      [...incidentLog.open.values()].map(({ acknowledgedBy }) => acknowledgedBy),
      [actor.name],
    );
  });
});
