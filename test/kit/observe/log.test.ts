import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLog, type LogLevel } from "../../../src/kit/observe/log.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";

function createRecorder(options: { level?: LogLevel; pretty?: boolean } = {}) {
  const lines: string[] = [];
  const clock = createFixedClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  const log = createLog({
    level: options.level ?? "debug",
    pretty: options.pretty ?? false,
    clock,
    write: (line) => lines.push(line),
  });
  return { lines, log, clock };
}

describe("createLog", () => {
  it("writes one JSON object a line, with the fields of its parents", () => {
    const { lines, log, clock } = createRecorder();
    log
      .child({ service: "auth" })
      .child({ part: 1 })
      .info("Signed in", { user: "ü", ok: true, none: undefined });
    clock.advance(55_000);
    log.warn("Slow", { list: [1, { a: "b" }] });
    assert.deepEqual(
      lines.map((line): unknown => JSON.parse(line)),
      [
        {
          time: "2026-01-02T03:04:05.678Z",
          level: "info",
          message: "Signed in",
          service: "auth",
          part: 1,
          user: "ü",
          ok: true,
        },
        { time: "2026-01-02T03:05:00.678Z", level: "warn", message: "Slow", list: [1, { a: "b" }] },
      ],
    );
  });

  it("tells the time of every millisecond as Date does", () => {
    const { lines, log, clock } = createRecorder();
    const starts = [-clock.now() - 1, 61_001, 86_400_000 * 365, 59_999 - 678];
    for (const start of starts) {
      clock.jump(start);
      log.info("x");
      assert.equal(Reflect.get(JSON.parse(lines.at(-1) ?? ""), "time"), new Date(clock.now()).toISOString());
    }
  });

  it("leaves out what is below its level", () => {
    const { lines, log } = createRecorder({ level: "warn" });
    log.debug("a");
    log.info("b");
    log.warn("c");
    log.error("d");
    assert.equal(lines.length, 2);
    const silent = createRecorder({ level: "silent" });
    silent.log.error("e");
    assert.deepEqual(silent.lines, []);
  });

  it("keeps hostile text in one line and in its field", () => {
    for (const pretty of [false, true]) {
      const { lines, log } = createRecorder({ pretty });
      log.info("a\r\nb\u2028c\u0085d\u001b[2J", { name: 'x"\n{"level":"error"}\u2029', "k\ney": "\u009b1m" });
      assert.equal(lines.length, 1);
      assert.doesNotMatch(lines[0] ?? "", /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u);
    }
    const { lines, log } = createRecorder();
    log.info("real", { level: "error", time: "never", message: "forged" });
    const parsed: unknown = JSON.parse(lines[0] ?? "");
    assert.equal(Reflect.get(Object(parsed), "level"), "info");
    assert.equal(Reflect.get(Object(parsed), "message"), "real");
    assert.equal(Reflect.get(Object(parsed), "message_"), "forged");
  });

  it("shows an error's name, message and stack", () => {
    const { lines, log } = createRecorder();
    log.error("Failed", { error: new RangeError("too far") });
    const parsed: unknown = JSON.parse(lines[0] ?? "");
    const error: unknown = Reflect.get(Object(parsed), "error");
    assert.equal(Reflect.get(Object(error), "name"), "RangeError");
    assert.equal(Reflect.get(Object(error), "message"), "too far");
    assert.match(String(Reflect.get(Object(error), "stack")), /log\.test/u);
  });

  it("never throws for a value that JSON cannot hold", () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    for (const pretty of [false, true]) {
      const { lines, log } = createRecorder({ pretty });
      log.info("odd", { loop, big: 1n, nan: Number.NaN, call: () => 1, symbol: Symbol("s") });
      assert.equal(lines.length, 1);
      if (!pretty) JSON.parse(lines[0] ?? "");
    }
  });

  it("writes a readable line for a terminal", () => {
    const { lines, log } = createRecorder({ pretty: true });
    log.child({ service: "shop" }).warn("Slow disk", { ms: 12 });
    assert.deepEqual(lines, ["03:04:05 WARN  Slow disk  service=shop ms=12"]);
  });
});
