import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { type AgentSettings, parseAgentSettings } from "../../src/agent/options.ts";
import { createChoices } from "../../src/agent/choices.ts";
import { noLists } from "../../src/agent/name-filter.ts";
import { agentVersion } from "../../src/agent/version.ts";

const usual = ["--server", "mon.example.org:50051", "--id", "web-1", "--key", "agk_secret"];

function settingsOf(
  args: readonly string[],
  env: Record<string, string> = {},
  isRoot = false,
): AgentSettings {
  const parsed = parseAgentSettings(args, env, isRoot);
  assert.ok(parsed.ok, parsed.ok ? "" : parsed.problems.join("; "));
  return parsed.settings;
}

function problemsOf(args: readonly string[], env: Record<string, string> = {}): readonly string[] {
  const parsed = parseAgentSettings(args, env);
  assert.ok(!parsed.ok);
  return parsed.problems;
}

describe("parseAgentSettings", () => {
  it("takes what it needs from the command line", () => {
    const { lists, ...settings } = settingsOf([...usual, "--interval", "10", "--data", "/tmp/a", "--tls"]);
    assert.deepEqual(lists, noLists);
    assert.deepEqual(settings, {
      command: "run",
      server: "mon.example.org:50051",
      id: "web-1",
      key: "agk_secret",
      name: undefined,
      enrol: undefined,
      root: undefined,
      containersSocket: undefined,
      checksFile: "/tmp/a/checks.json",
      extraFolder: "/tmp/a/extra.d",
      intervalMs: 10_000,
      folder: "/tmp/a",
      tls: true,
      isTlsByCa: false,
      caFile: undefined,
      insecure: undefined,
    });
  });

  it("reads containers and extra values from the given paths", () => {
    const given = settingsOf([...usual, "--containers", "/run/docker.sock", "--extra", "/srv/extra"]);
    assert.deepEqual([given.containersSocket, given.extraFolder], ["/run/docker.sock", "/srv/extra"]);
    const env = { TRIVET_CONTAINERS: "/run/podman/podman.sock", TRIVET_EXTRA: "/etc/extra" };
    const fromEnv = settingsOf(usual, env);
    assert.deepEqual(
      [fromEnv.containersSocket, fromEnv.extraFolder],
      ["/run/podman/podman.sock", "/etc/extra"],
    );
  });

  it("takes lists of mounts, interfaces and sensors, in which the last that fits decides", () => {
    const env = { TRIVET_MOUNTS: "/mnt/nas, /mnt/my disk", TRIVET_SENSORS: "!nvme*,nvme*1" };
    const { lists } = settingsOf([...usual, "--interfaces", "!*,eth0,wg*"], env);
    const { mounts, interfaces, sensors } = createChoices(lists).filters;
    assert.deepEqual(["/mnt/nas", "/mnt/my disk", "/mnt/nas2"].map(mounts), [true, true, undefined]);
    assert.deepEqual(["eth0", "wg12", "eth0.5", "*"].map(interfaces), [true, true, false, false]);
    assert.deepEqual(["nvme0", "nvme 1", "coretemp (a+b)"].map(sensors), [false, true, undefined]);
    for (const [option, text] of [
      ["mounts", ","],
      ["interfaces", "!"],
      ["sensors", "a\nb"],
      ["container-names", ","],
      ["units", "!"],
    ] as const)
      assert.match(
        problemsOf([...usual, `--${option}`, text]).join(),
        new RegExp(`^--${option} takes names`, "u"),
      );
  });

  it("reads the file of checks from the given path", () => {
    assert.equal(settingsOf([...usual, "--checks", "/etc/checks.json"]).checksFile, "/etc/checks.json");
    assert.equal(settingsOf(usual, { TRIVET_CHECKS: "/srv/c.json" }).checksFile, "/srv/c.json");
  });

  it("takes it from the environment, too, and lets options win", () => {
    const env = { TRIVET_SERVER: "[::1]:1", TRIVET_ID: "a", TRIVET_KEY: "k", TRIVET_CA: "/ca.pem" };
    const settings = settingsOf(["--id", "b"], env);
    assert.deepEqual([settings.server, settings.id, settings.key, settings.tls], ["[::1]:1", "b", "k", true]);
  });

  it("reports every problem at once and repeats no key", () => {
    const problems = problemsOf([
      "--server",
      "nowhere",
      "--id",
      "a b",
      "--key",
      "agk secret",
      "--interval",
      "0",
      "--url",
      "ftp://x",
    ]);
    assert.equal(problems.length, 5);
    assert.ok(!problems.join().includes("secret"));
  });

  it("tells encryption that was requested, refused or not mentioned", () => {
    const tlsOf = (args: readonly string[], env = {}): boolean | undefined => settingsOf(args, env).tls;
    assert.deepEqual([tlsOf([]), tlsOf(["--tls"]), tlsOf(["--no-tls"])], [undefined, true, false]);
    assert.deepEqual([tlsOf([], { TRIVET_TLS: "1" }), tlsOf([], { TRIVET_TLS: "0" })], [true, false]);
    assert.equal(tlsOf(["--no-tls"], { TRIVET_TLS: "1" }), false);
    assert.deepEqual(
      [tlsOf(["--ca", "/a"], { TRIVET_TLS: "0" }), tlsOf(["--ca", "/a", "--no-tls"])],
      [true, false],
    );
    assert.match(problemsOf(["--tls", "--no-tls"]).join(), /cannot be combined/u);
    assert.match(problemsOf([], { TRIVET_TLS: "yes" }).join(), /TRIVET_TLS takes 1 \(on\) or 0 \(off\)/u);
  });

  it("tells whether leaving the own network unencrypted was allowed, refused or not spoken of", () => {
    const insecureOf = (args: readonly string[], env = {}): boolean | undefined =>
      settingsOf(args, env).insecure;
    assert.deepEqual([insecureOf([]), insecureOf(["--insecure"])], [undefined, true]);
    const variables = ["1", "0", ""].map((value) => insecureOf([], { TRIVET_INSECURE: value }));
    assert.deepEqual(variables, [true, false, undefined]);
    assert.equal(insecureOf(["--insecure"], { TRIVET_INSECURE: "0" }), true);
    assert.match(problemsOf([], { TRIVET_INSECURE: "yes" }).join(), /TRIVET_INSECURE takes 1 \(on\)/u);
  });

  it("says what is missing", () => {
    assert.match(
      problemsOf(["--id", "a"]).join(),
      /--id and --key must be used together.*--server is missing/u,
    );
    assert.match(problemsOf(["--enrol", "c"]).join(), /--enrol requires --url/u);
    assert.match(problemsOf([...usual, "--enrol", "c", "--url", "http://h"]).join(), /Omit --id and --key/u);
  });

  it("does not repeat a misplaced argument, since it could be the key", () => {
    const problems = problemsOf(["agk_secret"]);
    assert.deepEqual(problems, ["Unexpected value without an option. See --help"]);
    assert.match(problemsOf(["--nonsense"]).join(), /--nonsense.*see --help/u);
    assert.match(problemsOf(["--key"]).join(), /--key.*see --help/u);
  });

  it("keeps state where the system wants it", () => {
    assert.equal(settingsOf([], {}, true).folder, "/var/lib/trivet-agent");
    assert.equal(settingsOf([], { STATE_DIRECTORY: "/var/lib/x" }, true).folder, "/var/lib/x");
    assert.equal(settingsOf([], { XDG_STATE_HOME: "/s" }).folder, "/s/trivet-agent");
    assert.equal(settingsOf([], { HOME: "/home/u" }).folder, "/home/u/.local/state/trivet-agent");
  });

  it("knows its commands", () => {
    assert.equal(settingsOf(["--once"]).command, "once");
    assert.equal(settingsOf(["--help"]).command, "help");
  });
});

describe("agentVersion", () => {
  it("is that of the package", async () => {
    const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
    assert.ok(text.includes(`"version": "${agentVersion}"`));
  });
});
