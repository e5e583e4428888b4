/** scripts/install with --destdir: no user is made and nothing is started; the bundle is a stand-in of a few bytes. */
import assert from "node:assert/strict";
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, beforeEach, describe, it } from "node:test";
import { projectFolder, runProcess, type ProcessResult } from "../support/process.ts";
import { configVariables, loadConfig } from "../../src/config.ts";
import { nodeOptions } from "../../src/runtime/start-options.ts";
import { findProgram, skipWithoutNode, tellSkipped } from "../support/missing.ts";

const script = join(projectFolder, "scripts", "install");
const templates = join(projectFolder, "scripts", "install.d");

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-install-"));
});
after(() => rm(folder, { recursive: true, force: true }));

let room = "";
let rooms = 0;
beforeEach(() => {
  room = join(folder, String((rooms += 1)));
});

function install(...args: readonly string[]): Promise<ProcessResult> {
  return installWith({}, ...args);
}

function installWith(env: Record<string, string>, ...args: readonly string[]): Promise<ProcessResult> {
  return runProcess({
    command: "/bin/sh",
    args: [script, "--destdir", join(room, "root"), ...args],
    env: { DESTDIR: undefined, ...env },
    timeoutMs: 60_000,
  });
}

/** A PATH with what the script calls, and without Node. */
async function makePathWithoutNode(): Promise<string> {
  const path = join(room, "bin");
  await mkdir(path, { recursive: true });
  for (const name of [
    "chmod",
    "dirname",
    "grep",
    "head",
    "id",
    "ln",
    "mkdir",
    "mv",
    "readlink",
    "rm",
    "sed",
    "uname",
  ]) {
    const found = await runProcess({ command: "/bin/sh", args: ["-c", `command -v ${name}`] });
    await symlink(found.output.trim(), join(path, name));
  }
  return path;
}

/** A bundle whose programs answer to --help as long as `works`. */
async function makeBundle(version: string, works = true): Promise<string> {
  const bundle = join(room, `bundle-${version}`);
  await mkdir(join(bundle, "src", "web"), { recursive: true });
  await writeFile(join(bundle, "package.json"), JSON.stringify({ version, type: "module" }));
  for (const name of ["trivet.js", "agent.js"])
    await writeFile(join(bundle, name), works ? 'console.log("Usage");\n' : "process.exit(1);\n");
  await writeFile(join(bundle, "LICENSES.txt"), "none\n");
  await writeFile(join(bundle, "src", "web", "page.html"), "page\n");
  return bundle;
}

function inRoot(path: string): string {
  return join(room, "root", path);
}

async function installed(version: string): Promise<void> {
  const { code, output } = await install("--from", await makeBundle(version));
  assert.equal(code, 0, output);
}

async function versionOf(link: string): Promise<string> {
  return (await readlink(inRoot(`opt/trivet/${link}`))).replace(/-[0-9a-f]{8}$/u, "");
}

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe("scripts/install", { skip: skipWithoutNode() }, () => {
  it("puts program, settings, data folder and unit where they belong, with their modes", async () => {
    await installed("1.0.0");
    const current = inRoot("opt/trivet/current");
    assert.equal(await readFile(join(current, "src/web/page.html"), "utf8"), "page\n");
    assert.equal(await modeOf(inRoot("etc/trivet/trivet.env")), "640");
    assert.equal(await modeOf(inRoot("var/lib/trivet")), "700");
    const unit = await readFile(inRoot("etc/systemd/system/trivet.service"), "utf8");
    const start = `${nodeOptions.join(" ")} /opt/trivet/current/trivet\\.js`;
    assert.match(unit, new RegExp(`^ExecStart=/\\S+ ${start}$`, "mu"));
    assert.doesNotMatch(unit, /@[A-Z]+@/u);
  });

  it("rejects a release with a flipped bit or a missing file, and keeps the version that runs", async () => {
    await installed("1.0.0");
    const bundle = await makeBundle("1.1.0");
    const page = join(bundle, "src/web/page.html");
    const script =
      'const { writeFileSums } = await import("./scripts/release/archive.ts"); await writeFileSums(process.argv[1]);';
    const sums = await runProcess({
      command: "node",
      args: ["--import", "tsx", "--input-type=module", "-e", script, bundle],
      cwd: projectFolder,
      timeoutMs: 60_000,
    });
    assert.equal(sums.code, 0, sums.output);
    assert.equal((await readFile(join(bundle, "files.sums"), "utf8")).trim().split("\n").length, 5);
    await writeFile(page, "pagd\n");
    const flipped = await install("--from", bundle);
    assert.equal(flipped.code, 1);
    assert.match(flipped.output, /damaged or missing[^]*src\/web\/page\.html: FAILED/u);
    await rm(page);
    assert.equal((await install("--from", bundle)).code, 1);
    assert.ok(!(await readdir(inRoot("opt/trivet"))).includes(".staged"));
    assert.equal(await versionOf("current"), "1.0.0");
    await writeFile(page, "page\n");
    assert.equal((await install("--from", bundle)).code, 0);
    assert.equal(await versionOf("current"), "1.1.0");
  });

  it("changes nothing when the same bundle is installed again", async () => {
    await installed("1.0.0");
    await writeFile(inRoot("etc/trivet/trivet.env"), "HOST=0.0.0.0\n");
    await installed("1.0.0");
    assert.deepEqual((await readdir(inRoot("opt/trivet"))).length, 2); // the version, and "current"
    assert.equal(await readFile(inRoot("etc/trivet/trivet.env"), "utf8"), "HOST=0.0.0.0\n");
  });

  it("keeps one version before the present one, and goes back to it and forward again", async () => {
    for (const version of ["1.0.0", "1.1.0", "1.2.0"]) await installed(version);
    assert.deepEqual([await versionOf("current"), await versionOf("previous")], ["1.2.0", "1.1.0"]);
    assert.equal((await readdir(inRoot("opt/trivet"))).length, 4);
    assert.equal((await install("--rollback")).code, 0);
    assert.deepEqual([await versionOf("current"), await versionOf("previous")], ["1.1.0", "1.2.0"]);
    assert.equal((await install("--rollback")).code, 0);
    assert.equal(await versionOf("current"), "1.2.0");
  });

  it("goes back with the Node that the unit names, where there is none in PATH", async () => {
    for (const version of ["1.0.0", "1.1.0"]) await installed(version);
    const { code, output } = await installWith({ PATH: await makePathWithoutNode() }, "--rollback");
    assert.equal(code, 0, output);
    assert.equal(await versionOf("current"), "1.0.0");
  });

  it("takes another build of the same version as another one", async () => {
    await installed("1.0.0");
    const bundle = await makeBundle("1.0.0");
    await writeFile(join(bundle, "trivet.js"), 'console.log("Usage of another");\n');
    assert.equal((await install("--from", bundle)).code, 0);
    assert.notEqual(
      await readlink(inRoot("opt/trivet/current")),
      await readlink(inRoot("opt/trivet/previous")),
    );
  });

  it("refuses a rollback when there is nothing to go back to", async () => {
    await installed("1.0.0");
    const { code, output } = await install("--rollback");
    assert.equal(code, 1);
    assert.match(output, /there is no previous version/u);
  });

  it("leaves the present version alone when the new program does not run", async () => {
    await installed("1.0.0");
    const { code, output } = await install("--from", await makeBundle("2.0.0", false));
    assert.equal(code, 1);
    assert.match(output, /does not run on .*\. Nothing was changed/u);
    assert.equal(await versionOf("current"), "1.0.0");
  });

  it("waits for a program that says when it is ready, and for no older one, also after a rollback", async () => {
    const readUnit = (): Promise<string> => readFile(inRoot("etc/systemd/system/trivet.service"), "utf8");
    await installed("1.0.0");
    assert.doesNotMatch(await readUnit(), /Type=notify|NotifyAccess|Watchdog/u);
    const bundle = await makeBundle("1.1.0");
    await writeFile(join(bundle, "trivet.js"), 'console.log("Usage", process.env.NOTIFY_SOCKET);\n');
    assert.equal((await install("--from", bundle)).code, 0);
    assert.match(
      await readUnit(),
      /^Type=notify\nNotifyAccess=all\nWatchdogSec=\d+\nWatchdogSignal=SIGKILL$/mu,
    );
    assert.equal((await install("--rollback")).code, 0);
    assert.doesNotMatch(await readUnit(), /Type=notify|Watchdog/u);
  });

  it("leaves backups at --purge, says where, and removes them and drop-ins when told to", async () => {
    await installed("1.0.0");
    const dropIn = inRoot("etc/systemd/system/trivet.service.d");
    const backup = inRoot("var/lib/trivet-backups/trivet-1");
    for (const path of [dropIn, backup]) await mkdir(path, { recursive: true });
    await mkdir(inRoot("var/lib/trivet"), { recursive: true });
    await writeFile(inRoot("var/lib/trivet/shop-secret.json"), "the key");
    const { output } = await install("--uninstall", "--purge");
    assert.match(
      output,
      /Backups are kept in .*trivet-backups, with the sealing keys of the data in .*\/keys/u,
    );
    await stat(backup);
    // What is sealed in the backups is lost without it.
    assert.equal(await readFile(inRoot("var/lib/trivet-backups/keys/shop-secret.json"), "utf8"), "the key");
    await assert.rejects(stat(dropIn), /ENOENT/u);
    assert.equal((await install("--uninstall", "--purge", "--purge-backups")).code, 0);
    assert.deepEqual(await readdir(inRoot("var/lib")), []);
    assert.equal((await install("--uninstall", "--purge-backups")).code, 2);
  });

  it("keeps settings and data when it uninstalls, unless told to purge", async () => {
    await installed("1.0.0");
    await writeFile(inRoot("var/lib/trivet/record"), "kept");
    assert.equal((await install("--uninstall")).code, 0);
    assert.deepEqual(await readdir(inRoot("opt")), []);
    assert.deepEqual(await readdir(inRoot("etc/systemd/system")), []);
    assert.equal(await readFile(inRoot("var/lib/trivet/record"), "utf8"), "kept");
    await stat(inRoot("etc/trivet/trivet.env"));
    assert.equal((await install("--uninstall", "--purge")).code, 0);
    assert.deepEqual(await readdir(inRoot("var/lib")), []);
    assert.deepEqual(await readdir(inRoot("etc")), ["systemd"]);
  });

  it("runs the services that are named, also after an upgrade that names none", async () => {
    const bundle = await makeBundle("1.0.0");
    const readStart = async (): Promise<string> =>
      /^ExecStart=.*\.js *(.*)$/mu.exec(
        await readFile(inRoot("etc/systemd/system/trivet.service"), "utf8"),
      )?.[1] ?? "none";
    for (const [args, started] of [
      [["--services", "monitor"], "monitor"],
      [[], "monitor"],
      [["--services", "auth,shop"], "auth shop"],
      [["--services", "monitor,auth,shop"], "monitor auth shop"],
    ] as const) {
      const { code, output } = await install("--from", bundle, ...args);
      assert.equal(code, 0, output);
      assert.equal(await readStart(), started);
      assert.equal(/Monitor: http:\/\/127\.0\.0\.1:8080\/admin/u.test(output), started.includes("monitor"));
    }
    const { code, output } = await install("--from", bundle, "--services", "monitor,mail");
    assert.equal(code, 2);
    assert.match(output, /not "mail"/u);
  });

  it("sends those who want an agent to the monitor's own line", async () => {
    const { code, output } = await install("--agent");
    assert.equal(code, 2);
    assert.match(output, /install\.sh \| sudo sh -s -- KEY/u);
  });

  it("refuses a Node that is too old, and one that is not there", async () => {
    const bundle = await makeBundle("1.0.0");
    const old = join(room, "old-node");
    await writeFile(old, '#!/bin/sh\n[ "$1" = --version ] && echo v18.19.0\nexit 1\n');
    await chmod(old, 0o755);
    const tooOld = await install("--from", bundle, "--node", old);
    assert.equal(tooOld.code, 1);
    assert.match(tooOld.output, /Node 20\.19, 22\.12 or newer is required, but ".*old-node" is v18\.19\.0/u);
    const missing = await install("--from", bundle, "--node", join(room, "none"));
    assert.equal(missing.code, 1);
    assert.match(missing.output, /is not executable|does not exist/u);
  });

  it("refuses unknown options and prefixes that a unit would misread, with its usage or the reason", async () => {
    assert.equal((await install("--frobnicate")).code, 2);
    assert.equal((await install("--purge")).code, 2);
    const { code, output } = await install("--prefix", "/opt/my programs");
    assert.equal(code, 1);
    assert.match(output, /would need quoting/u);
  });

  it("refuses without root", async () => {
    // "nobody" cannot read a clone of root's, so the script comes through standard input.
    const asNobody = process.getuid?.() === 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : "";
    const drop = `exec ${asNobody} sh -s -- --no-start < "$1"`;
    const { code, output } = await runProcess({ command: "sh", args: ["-c", drop, "sh", script], cwd: "/" });
    assert.equal(code, 1, output);
    assert.match(output, /root permissions are required\. Run the script with sudo/u);
  });
});

/** The lines NAME=value of a file for systemd, those that are commented out too. */
async function readSettings(name: string): Promise<Record<string, string>> {
  const text = await readFile(join(templates, name), "utf8");
  return Object.fromEntries(
    [...text.matchAll(/^#?([A-Z_]+)=(.*)$/gmu)].map((match) => [match[1] ?? "", match[2] ?? ""]),
  );
}

describe("the templates of scripts/install.d", () => {
  it("name only variables that the program knows, with values that it takes", async () => {
    const settings = await readSettings("trivet.env");
    assert.deepEqual(
      Object.keys(settings).filter((name) => !configVariables.includes(name)),
      [],
    );
    assert.equal(loadConfig(settings).host, "127.0.0.1");
  });

  const skip =
    findProgram("systemd-analyze") === undefined &&
    tellSkipped("systemd-analyze is not installed (Debian: apt install systemd)");
  it("have a unit that systemd-analyze takes", { skip }, async () => {
    const verify = join(folder, "units");
    await mkdir(verify);
    const text = await readFile(join(templates, "trivet.service"), "utf8");
    const filled = text
      .replaceAll("@NODE@", "/bin/true")
      .replaceAll("@ROOT@", "/opt")
      .replaceAll("@SERVICES@", "");
    await writeFile(join(verify, "trivet.service"), filled);
    const { code, output } = await runProcess({
      command: "systemd-analyze",
      args: ["verify", join(verify, "trivet.service")],
      timeoutMs: 60_000,
    });
    assert.deepEqual([code, output], [0, ""]);
  });

  it("allow the netlink socket that lists network interfaces", async () => {
    for (const path of [
      join(templates, "trivet.service"),
      join(projectFolder, "src/monitor/install/install.sh"),
    ])
      assert.match(await readFile(path, "utf8"), /^RestrictAddressFamilies=.*\bAF_NETLINK$/mu, path);
  });

  it("stop later than the program's own drain", async () => {
    const unit = await readFile(join(templates, "trivet.service"), "utf8");
    const program = await readFile(join(projectFolder, "src/main.ts"), "utf8");
    const drainMs = Number(/STOP_MS = ([\d_]+)/u.exec(program)?.[1]?.replaceAll("_", ""));
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/mu.exec(unit)?.[1]) * 1_000 > drainMs + 2_000);
  });
});

it("shows the newest lines of the log: systemd 252 takes the oldest for -n with --since", async () => {
  for (const path of [script, join(projectFolder, "src/monitor/install/install.sh")]) {
    const text = await readFile(path, "utf8");
    assert.match(text, /journalctl [^|\n]*--since/u);
    assert.doesNotMatch(text, /journalctl [^|\n]* (?:-n|--lines)/u);
    assert.match(text, /(?:--since "\$since" 2>\/dev\/null|log_lines) \| tail -n \d+/u);
  }
});
