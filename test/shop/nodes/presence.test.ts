/** Who waits at other processes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LocalHub, createLocalHub } from "../../support/local-hub.ts";
import { type Presence, createPresence } from "../../../src/shop/nodes/presence.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import {} from "../chat/chat-fixture.ts";
import { until } from "../../support/eventually.ts";

interface Node {
  readonly presence: Presence;
  readonly clock: FixedClock;
  users: string[];
}

function join(hub: LocalHub, name: string, users: string[] = []): Node {
  const clock = createFixedClock();
  const node = { users, clock };
  return Object.assign(node, {
    presence: createPresence({ bus: hub.join(name), clock, users: () => node.users }),
  });
}

describe("createPresence", () => {
  it("announces who came and went, soon after it changed", async () => {
    const hub = createLocalHub();
    const [a, b] = [join(hub, "a"), join(hub, "b")];
    assert.equal(b.presence.isElsewhere("usr_ann"), false);
    a.users = ["usr_ann"];
    a.presence.changed();
    await until(() => b.presence.isElsewhere("usr_ann"));
    assert.deepEqual([a.presence.isElsewhere("usr_ann"), b.presence.isElsewhere("usr_ben")], [false, false]);
    a.users = ["usr_ben"];
    a.presence.changed();
    await until(() => b.presence.isElsewhere("usr_ben"));
    assert.equal(b.presence.isElsewhere("usr_ann"), false);
  });

  it("announces to one that comes later, and one that was cut off", async () => {
    const hub = createLocalHub();
    join(hub, "a", ["usr_ann"]);
    const late = join(hub, "late");
    await until(() => late.presence.isElsewhere("usr_ann"));
    hub.setConnected("late", false);
    late.clock.advance(60_000);
    assert.equal(late.presence.isElsewhere("usr_ann"), false);
    hub.setConnected("late", true);
    await until(() => late.presence.isElsewhere("usr_ann"));
  });

  it("forgets a process that is silent, not one that goes on announcing, and at once one that ends", async () => {
    const hub = createLocalHub();
    const [dead, alive, b] = [
      join(hub, "dead", ["usr_ann"]),
      join(hub, "alive", ["usr_ben"]),
      join(hub, "b"),
    ];
    const { presence } = b;
    await until(() => presence.isElsewhere("usr_ann") && presence.isElsewhere("usr_ben"));
    hub.setConnected("dead", false);
    b.clock.advance(6_000);
    assert.equal(presence.isElsewhere("usr_ann"), true);
    alive.clock.advance(6_000);
    alive.users = ["usr_ben", "usr_eve"];
    alive.presence.beat();
    await until(() => presence.isElsewhere("usr_eve"));
    b.clock.advance(2_000);
    assert.deepEqual([presence.isElsewhere("usr_ann"), presence.isElsewhere("usr_ben")], [false, true]);
    presence.beat();
    assert.equal(presence.isElsewhere("usr_ben"), true);
    alive.presence.close();
    await until(() => !presence.isElsewhere("usr_ben"));
    dead.presence.close();
  });

  it("announces many in parts, which count when all of them are there", async () => {
    const hub = createLocalHub();
    const a = join(hub, "a", ["usr_old"]);
    const b = join(hub, "b");
    await until(() => b.presence.isElsewhere("usr_old"));
    a.users = Array.from({ length: 2_500 }, (_, n) => `usr_${n}`);
    a.clock.advance(2_000);
    a.presence.beat();
    await until(() => !b.presence.isElsewhere("usr_old"));
    for (const n of [0, 999, 1_000, 2_499]) assert.equal(b.presence.isElsewhere(`usr_${n}`), true);
  });
});
