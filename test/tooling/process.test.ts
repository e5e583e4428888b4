import assert from "node:assert/strict";
import { connect } from "node:net";
import process from "node:process";
import { describe, it } from "node:test";
import { runProcess } from "../support/process.ts";
import { isDeno } from "../support/own-runtime.ts";

const command = process.execPath;
const EVAL = isDeno ? "eval" : "-e";

/** Starts a listener that outlives its parent, prints its port, and leaves. */
const leavesChild = `
  const { spawn } = process.getBuiltinModule("node:child_process");
  const listener = 'process.getBuiltinModule("node:net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port); })';
  const child = spawn(process.execPath, ["${EVAL}", listener], { stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.once("data", (port) => { process.stdout.write(port); process.exit(0); });
`;

function tryConnect(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve("connected");
    });
    socket.once("error", () => resolve("refused"));
  });
}

describe("runProcess", () => {
  it("gives the exit code and both streams", async () => {
    const script = 'console.log("out"); console.error("err"); process.exitCode = 3;';
    const { code, output, timedOut } = await runProcess({ command, args: [EVAL, script] });
    assert.equal(code, 3);
    assert.match(output, /out/u);
    assert.match(output, /err/u);
    assert.equal(timedOut, false);
  });

  it("removes a variable that is set to undefined", async () => {
    const script = "console.log(`<${process.env.TRIVET_A}> <${process.env.NODE_TEST_CONTEXT}>`)";
    process.env["TRIVET_A"] = "set";
    const { output } = await runProcess({
      command,
      args: [EVAL, script],
      env: { TRIVET_A: undefined },
    });
    delete process.env["TRIVET_A"];
    assert.match(output, /<undefined> <undefined>/u);
  });

  it("kills what runs longer than its time", async () => {
    const { code, signal, timedOut } = await runProcess({
      command,
      args: [EVAL, "setInterval(() => {}, 1000)"],
      timeoutMs: 100,
    });
    assert.deepEqual({ code, signal, timedOut }, { code: undefined, signal: "SIGKILL", timedOut: true });
  });

  it("ends children that the command left behind", async () => {
    const { code, output } = await runProcess({ command, args: [EVAL, leavesChild] });
    assert.equal(code, 0);
    assert.match(output, /^\d+\n$/u);
    assert.equal(await tryConnect(Number(output)), "refused");
  });

  it("says why a command cannot start", async () => {
    const { code, output } = await runProcess({ command: "trivet-no-such-command", args: [] });
    assert.equal(code, undefined);
    assert.match(output, /trivet-no-such-command/u);
  });
});
