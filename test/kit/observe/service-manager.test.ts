/** What a program tells systemd: its priorities in the journal, and that it is ready and lives. */
import assert from "node:assert/strict";
import { fstatSync } from "node:fs";
import { describe, it, mock } from "node:test";
import { createLinePrefix } from "../../../src/kit/observe/journal.ts";
import { createLog } from "../../../src/kit/observe/log.ts";
import { createServiceManager } from "../../../src/kit/observe/service-manager.ts";

function streamOf(descriptor: number): string {
  const { dev, ino } = fstatSync(descriptor);
  return `${dev}:${ino}`;
}

describe("createLinePrefix", () => {
  it("gives every line its priority where the stream leads to the journal", () => {
    const prefix = createLinePrefix({ JOURNAL_STREAM: streamOf(2) }, 2);
    const lines: string[] = [];
    const log = createLog({
      level: "debug",
      pretty: true,
      write: (line, level) => void lines.push(prefix(line, level)),
    });
    log.debug("a");
    log.info("b");
    log.warn("c");
    log.error("d");
    assert.deepEqual(
      lines.map((line) => line.slice(0, 3)),
      ["<7>", "<6>", "<4>", "<3>"],
    );
    assert.equal(prefix("two\nlines", "error"), "<3>two\n<3>lines");
  });

  it("changes nothing elsewhere, also where the variable was inherited with another stream", () => {
    for (const JOURNAL_STREAM of [undefined, "", "1:1", "nonsense"])
      assert.equal(createLinePrefix({ JOURNAL_STREAM }, 2)("text", "error"), "text");
    assert.equal(createLinePrefix({ JOURNAL_STREAM: "1:1" }, 9_999)("text", "error"), "text");
  });
});

describe("createServiceManager", () => {
  const env = { NOTIFY_SOCKET: "/run/systemd/notify", WATCHDOG_USEC: "40000000" };

  it("says that the program is ready, then four times within the watchdog's time that it lives, until it stops", async () => {
    mock.timers.enable({ apis: ["setInterval"] });
    try {
      const said: string[] = [];
      const manager = createServiceManager({
        env,
        onFault: (error) => assert.fail(String(error)),
        run: async (program, args) => void said.push([program, ...args].join(" ")),
      });
      await manager.ready();
      assert.deepEqual(said, ["systemd-notify READY=1"]);
      mock.timers.tick(40_000);
      assert.deepEqual(
        said.slice(1),
        Array.from({ length: 4 }, () => "systemd-notify WATCHDOG=1"),
      );
      await manager.stopping();
      mock.timers.tick(40_000);
      assert.deepEqual(said.slice(5), ["systemd-notify STOPPING=1"]);
    } finally {
      mock.timers.reset();
    }
  });

  it("does nothing without a service manager, and sends no heartbeat unless requested", async () => {
    mock.timers.enable({ apis: ["setInterval"] });
    try {
      const said: string[] = [];
      const run = async (_program: string, args: readonly string[]): Promise<void> =>
        void said.push(args.join());
      const none = createServiceManager({ env: {}, onFault: (error) => assert.fail(String(error)), run });
      await none.ready();
      await none.stopping();
      const unwatched = createServiceManager({
        env: { NOTIFY_SOCKET: "@x" },
        onFault: (error) => assert.fail(String(error)),
        run,
      });
      await unwatched.ready();
      mock.timers.tick(1_000_000);
      assert.deepEqual(said, ["READY=1"]);
    } finally {
      mock.timers.reset();
    }
  });

  it("goes on where systemd-notify is missing, and tells it once", async () => {
    const faults: unknown[] = [];
    const run = async (): Promise<void> => {
      throw new Error("spawn systemd-notify ENOENT");
    };
    const manager = createServiceManager({ env, onFault: (error) => void faults.push(error), run });
    await manager.ready();
    await manager.stopping();
    assert.equal(faults.length, 1);
  });
});
