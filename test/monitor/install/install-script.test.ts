/** install.sh as it is served, run below a separate folder with fake programs. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { findProgram, tellSkipped } from "../../support/missing.ts";
import { projectFolder, runProcess } from "../../support/process.ts";

const URL_TEXT = "https://status.example.org";
const names = ["trivet-agent-linux-arm64.gz", "trivet-agent-linux-x64.gz"];

let folder = "";
let from = "";
let root = "";
let script = "";

async function writeFiles(program: string): Promise<void> {
  const bytes = gzipSync(program);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  for (const name of names) await writeFile(join(from, name), bytes);
  await writeFile(join(from, "SHA256SUMS"), names.map((name) => `${sha256}  ${name}\n`).join(""));
}

async function run(...args: readonly string[]): Promise<{ code: number | undefined; output: string }> {
  const { code, output } = await runProcess({
    command: "sh",
    args: [script, "--root", root, "--from", from, ...args],
    timeoutMs: 60_000,
  });
  return { code, output };
}

async function listRoot(): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort();
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-install-"));
  from = join(folder, "files");
  root = join(folder, "root");
  script = join(folder, "install.sh");
  await mkdir(from);
  await mkdir(root);
  const text = await readFile(join(projectFolder, "src/monitor/install/install.sh"), "utf8");
  await writeFile(script, text.replaceAll("@URL@", URL_TEXT).replaceAll("@VERSION@", "1.2.3"));
  await writeFiles("#!/bin/sh\necho 1.2.3\n");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("install.sh", () => {
  it("takes the shell script with --small, or when nothing else runs on this machine", async () => {
    const bytes = (await readFile(join(projectFolder, "src/monitor/install/agent.sh"), "utf8")).replaceAll(
      "@VERSION@",
      "1.2.3",
    );
    await writeFile(join(from, "agent.sh"), bytes);
    const sum = createHash("sha256").update(bytes).digest("hex");
    await writeFile(join(from, "SHA256SUMS"), `${sum}  agent.sh\n`);
    const places = join(root, "opt/trivet-agent");
    // A machine of another processor has neither a single file nor Node.
    const bin = join(folder, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "uname"), "#!/bin/sh\n[ $1 = -s ] && echo Linux || echo mips\n", {
      mode: 0o755,
    });
    await writeFile(join(bin, "node"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    for (const args of [["--small"], []]) {
      await rm(root, { recursive: true });
      await mkdir(root);
      const { code, output } = await runProcess({
        command: "sh",
        args: [script, "--root", root, "--from", from, "enr_key", ...args],
        env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` },
        timeoutMs: 60_000,
      });
      assert.equal(code, 0, output);
      assert.deepEqual(await readdir(places), ["agent.sh"]);
      const unit = await readFile(join(root, "etc/systemd/system/trivet-agent.service"), "utf8");
      assert.match(unit, /^ExecStart=\/bin\/sh \/opt\/trivet-agent\/agent\.sh$/mu);
    }
  });

  it("places program, settings and unit, the settings closed to others", async () => {
    const { code, output } = await run("enr_key", "--name", "web-1", "--interval", "5");
    assert.equal(code, 0, output);
    assert.deepEqual(await listRoot(), [
      "/etc/systemd/system/trivet-agent.service",
      "/etc/trivet/agent.env",
      "/opt/trivet-agent/trivet-agent",
    ]);
    const settings = join(root, "etc/trivet/agent.env");
    assert.equal(
      await readFile(settings, "utf8"),
      `TRIVET_ENROL=enr_key\nTRIVET_URL=${URL_TEXT}\nTRIVET_NAME=web-1\nTRIVET_INTERVAL=5\n`,
    );
    assert.equal((await stat(settings)).mode & 0o777, 0o600);
    assert.equal((await stat(join(root, "opt/trivet-agent/trivet-agent"))).mode & 0o777, 0o755);
    const unit = await readFile(join(root, "etc/systemd/system/trivet-agent.service"), "utf8");
    assert.match(unit, /^ExecStart=\/opt\/trivet-agent\/trivet-agent$/mu);
    assert.match(unit, /^DynamicUser=yes$/mu);
  });

  const skip =
    findProgram("systemd-analyze") === undefined &&
    tellSkipped("systemd-analyze is not installed (Debian: apt install systemd)");
  it("writes a unit that systemd-analyze takes", { skip }, async () => {
    await run("enr_key");
    const text = await readFile(join(root, "etc/systemd/system/trivet-agent.service"), "utf8");
    const unit = join(folder, "trivet-agent.service");
    await writeFile(unit, text.replace(/^ExecStart=.*$/mu, "ExecStart=/bin/true"));
    const { code, output } = await runProcess({
      command: "systemd-analyze",
      args: ["verify", unit],
      timeoutMs: 60_000,
    });
    assert.deepEqual([code, output], [0, ""]);
  });

  it("upgrades without a key, and takes a new one in place of the old", async () => {
    await run("enr_old", "--name", "web-1");
    const settings = join(root, "etc/trivet/agent.env");
    await writeFile(settings, `${await readFile(settings, "utf8")}TRIVET_CA=/etc/ca.pem\n`);
    const checks = join(root, "var/lib/trivet-agent/checks.json");
    await mkdir(join(root, "var/lib/trivet-agent"), { recursive: true });
    await writeFile(checks, "{}");
    await writeFiles("#!/bin/sh\necho 2.0.0\n");
    const upgraded = await run();
    assert.equal(upgraded.code, 0, upgraded.output);
    assert.match(await readFile(join(root, "opt/trivet-agent/trivet-agent"), "utf8"), /2\.0\.0/u);
    assert.equal(await readFile(checks, "utf8"), "{}");
    assert.match(await readFile(settings, "utf8"), /^TRIVET_CA=\/etc\/ca\.pem\nTRIVET_ENROL=enr_old\n/u);
    await run("enr_new");
    const lines = (await readFile(settings, "utf8")).trimEnd().split("\n");
    assert.ok(lines.includes("TRIVET_ENROL=enr_new") && lines.includes("TRIVET_NAME=web-1"));
    assert.ok(!lines.includes("TRIVET_ENROL=enr_old"));
  });

  it("brings the authority that --ca names, keeps it at an upgrade, and refuses what is none", async () => {
    const ca = join(folder, "ca.pem");
    await writeFile(ca, "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n");
    assert.equal((await run("enr_key", "--ca", ca)).code, 0);
    const settings = join(root, "etc/trivet/agent.env");
    const line = /^TRIVET_CA=\/etc\/trivet\/agent-ca\.pem$/mu;
    assert.match(await readFile(settings, "utf8"), line);
    assert.equal(await readFile(join(root, "etc/trivet/agent-ca.pem"), "utf8"), await readFile(ca, "utf8"));
    await run();
    assert.match(await readFile(settings, "utf8"), line);
    await writeFile(ca, "no certificate");
    for (const path of [ca, join(folder, "none.pem")]) {
      const { code, output } = await run("enr_key", "--ca", path);
      assert.equal(code, 2);
      assert.match(output, /the file of --ca, ".*", cannot be read or does not contain a PEM certificate/u);
    }
    await run("--uninstall");
    assert.deepEqual(await listRoot(), []);
  });

  it("says what to do where the monitor does not know its address, and upgrades to the one that is installed", async () => {
    const unknown = join(folder, "unknown.sh");
    await writeFile(unknown, (await readFile(script, "utf8")).replace(`url='${URL_TEXT}'`, "url=''"));
    const at = (...args: readonly string[]) =>
      runProcess({ command: "sh", args: [unknown, "--root", root, ...args], timeoutMs: 60_000 });
    const refused = await at("enr_key");
    assert.equal(refused.code, 2);
    assert.match(refused.output, /has no public URL\. Set --url .*PUBLIC_URL/u);
    assert.equal((await at("enr_key", "--from", from, "--url", "http://192.0.2.7:8080")).code, 0);
    assert.match(
      await readFile(join(root, "etc/trivet/agent.env"), "utf8"),
      /^TRIVET_URL=http:\/\/192\.0\.2\.7:8080$/mu,
    );
    const upgraded = await at("--from", from);
    assert.equal(upgraded.code, 0, upgraded.output);
    assert.match(await readFile(join(root, "etc/trivet/agent.env"), "utf8"), /^TRIVET_URL=http:\/\/192/mu);
  });

  /** The end of an installation, after the agent wrote `status`. */
  async function waitWith(status: string): Promise<{ code: number | undefined; output: string }> {
    const text = await readFile(script, "utf8");
    const [head = "", tail = ""] = text.split("find_init\ncase $action in");
    assert.ok(tail.includes("install_all"));
    await writeFile(join(folder, "status"), status);
    const part = join(folder, "wait.sh");
    const stubs = `data='${folder}'; init=plain; given=enr_key; since=now; log_hint=LOG; stop_service() { echo stopped; }; show_log() { echo log; }; sleep() { :; }`;
    await writeFile(part, `${head}\n${stubs}\nwait_for_report && echo fine\n`);
    const { code, output } = await runProcess({ command: "sh", args: [part, "--wait", "3", "--dry-run"] });
    return { code, output };
  }

  it("ends well after the first acknowledged report, and tells a key that changed nothing", async () => {
    const good = await waitWith("state=reporting\n");
    assert.deepEqual([good.code, good.output], [0, "Waiting for the first report\nfine\n"]);
    const unused = await waitWith("state=reporting\nkey=The code is expired\n");
    assert.match(unused.output, /The key was not needed; .*: The code is expired\nfine/u);
  });

  for (const [status, expected, isStopped] of [
    [
      "state=failed\ncause=certificate\nreason=not trusted\n",
      /not trusted\. The key was not used: .*--ca FILE/u,
      true,
    ],
    [
      "state=failed\ncause=key\nreason=refused\n",
      /refused\. The service is stopped\. Run the new command/u,
      true,
    ],
    ["state=failed\ncause=privacy\nreason=in the clear\n", /in the clear\. The service is stopped/u, true],
    ["state=failed\ncause=unreachable\nreason=no route\n", /no route\. The agent keeps trying/u, false],
    [
      "state=offline\nreason=no gRPC\n",
      /is enrolled, but its reports do not arrive: no gRPC\. .*PUBLIC_GRPC/u,
      false,
    ],
    ["state=rejected\nreason=bad cpu\n", /rejects the reports of this machine: bad cpu/u, false],
    ["state=failed\ncause=other\nreason=disk full\n", /log\n.*disk full/su, false],
    ["state=starting\n", /log\n.*no status within 3 s/su, false],
    ["", /log\n.*no status within 3 s/su, false],
  ] as const)
    it(`ends with 1 and says why after "${status.replaceAll("\n", " ")}"`, async () => {
      const { code, output } = await waitWith(status);
      assert.equal(code, 1, output);
      assert.match(output, expected);
      assert.equal(output.includes("stopped\n"), isStopped, output);
    });

  it("refuses a file that is not what the checksum says, and one that does not run; nothing changes", async () => {
    for (const name of names) await writeFile(join(from, name), gzipSync("#!/bin/sh\necho evil\n"));
    const wrong = await run("enr_key");
    assert.equal(wrong.code, 1);
    assert.match(wrong.output, /does not match the SHA256SUMS of the monitor\. Nothing was changed/u);
    await writeFiles("#!/bin/sh\nexit 3\n");
    const broken = await run("enr_key");
    assert.equal(broken.code, 1);
    assert.match(broken.output, /does not run on this machine\. Nothing was changed/u);
    assert.deepEqual(await listRoot(), []);
  });

  it("says each step and does none with --dry-run", async () => {
    const { code, output } = await run("enr_key", "--dry-run");
    assert.equal(code, 0, output);
    assert.match(output, /would write: .*\/opt\/trivet-agent\/trivet-agent/u);
    assert.match(output, /Nothing was changed/u);
    assert.deepEqual(await listRoot(), []);
  });

  it("takes everything away with --uninstall", async () => {
    await run("enr_key");
    const { code, output } = await run("--uninstall");
    assert.equal(code, 0, output);
    assert.deepEqual(await listRoot(), []);
    assert.deepEqual(await readdir(join(root, "etc")), ["systemd"]);
  });

  it("refuses what no key, name or number is, before anything else", async () => {
    for (const args of [
      ["enr_$(id)"],
      ["enr_a b"],
      ["enr_key", "--name", "a;b"],
      ["enr_key", "--interval", "x"],
      ["enr_key", "--what"],
    ]) {
      const { code } = await run(...args);
      assert.equal(code, 2, args.join(" "));
    }
    assert.deepEqual(await listRoot(), []);
  });
});
