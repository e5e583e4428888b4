import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type AlertPhase, type AlertState, OK, step } from "../../../src/monitor/alerts/alert-machine.ts";
import type { Breach } from "../../../src/monitor/alerts/kinds/kind.ts";

const WAIT_MS = 1_000;
const pending: AlertState = { phase: "pending", sinceMs: 100 };
const firing: AlertState = { phase: "firing", sinceMs: 100 };

describe("the states of an alert", () => {
  const cases: [from: AlertState, breached: Breach, nowMs: number, phase: AlertPhase, event?: string][] = [
    [OK, true, 100, "pending"],
    [OK, false, 100, "ok"],
    [OK, "unknown", 100, "ok"],
    [pending, true, 1_099, "pending"],
    [pending, true, 1_100, "firing", "fire"],
    [pending, false, 5_000, "ok"],
    [pending, "unknown", 5_000, "ok"],
    [firing, true, 5_000, "firing"],
    [firing, "unknown", 5_000, "firing"],
    [firing, false, 101, "ok", "resolve"],
  ];
  for (const [from, breached, nowMs, phase, event] of cases) {
    it(`${from.phase}, ${String(breached)} at ${nowMs} ms: ${phase}${event === undefined ? "" : `, ${event}`}`, () => {
      const next = step(from, { breached, nowMs }, { waitMs: WAIT_MS, recoverMs: 0 });
      assert.equal(next.state.phase, phase);
      assert.equal(next.event, event);
    });
  }

  it("fire at once when nothing must last", () => {
    assert.equal(step(OK, { breached: true, nowMs: 5 }, { waitMs: 0, recoverMs: 0 }).event, "fire");
  });

  it("resolve when their recovery has lasted, and start again otherwise", () => {
    const lasting = { waitMs: 0, recoverMs: 1_000 };
    const look = (state: AlertState, breached: Breach, nowMs: number) =>
      step(state, { breached, nowMs }, lasting);
    const first = look(firing, false, 5_000);
    assert.deepEqual([first.state, first.event], [{ ...firing, clearMs: 5_000 }, undefined]);
    assert.equal(look(first.state, false, 5_999).event, undefined);
    assert.equal(look(first.state, false, 6_000).event, "resolve");
    for (const breached of [true, "unknown"] as const) {
      const again = look(first.state, breached, 5_500);
      assert.deepEqual(again.state, firing);
      assert.equal(look(look(again.state, false, 6_000).state, false, 6_900).event, undefined);
    }
  });

  it("fire and resolve in turn, and never before the wait", () => {
    const look = fc.record({
      breached: fc.constantFrom<Breach>(true, false, "unknown"),
      ms: fc.integer({ min: 0, max: 700 }),
    });
    fc.assert(
      fc.property(fc.array(look), (looks) => {
        let state = OK;
        let nowMs = 0;
        let last = "resolve";
        let breachedMs: number | undefined;
        for (const { breached, ms } of looks) {
          nowMs += ms;
          if (breached !== true) breachedMs = undefined;
          else breachedMs ??= nowMs;
          const next = step(state, { breached, nowMs }, { waitMs: WAIT_MS, recoverMs: 0 });
          if (next.event !== undefined) assert.notEqual(next.event, last);
          if (next.event === "fire") assert.ok(nowMs - (breachedMs ?? nowMs) >= WAIT_MS);
          last = next.event ?? last;
          state = next.state;
        }
      }),
    );
  });
});
