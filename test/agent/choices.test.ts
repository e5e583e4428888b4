import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChoices } from "../../src/agent/choices.ts";
import { pickWatched } from "../../src/agent/details/failed-units.ts";
import { noLists } from "../../src/agent/name-filter.ts";
import { parseReport } from "../../src/monitor/ingest/report.ts";
import { toSentLists } from "../../src/monitor/ingest/sent-lists.ts";

const given = {
  mounts: "/mnt/*",
  interfaces: "",
  sensors: "!nvme*",
  containers: "!tmp-*",
  units: "nginx,pg@*",
};

describe("the lists of the monitor", () => {
  it("choose beside those of the machine, which win, and change while the agent runs", () => {
    const choices = createChoices({ ...noLists, mounts: "!/mnt/full" });
    const { mounts, containers } = choices.filters;
    assert.deepEqual(["/mnt/nas", "/mnt/full"].map(mounts), [undefined, false]);
    const { revision, json } = toSentLists(given);
    choices.take(`${revision} ${json}`);
    assert.equal(choices.revision, revision);
    assert.deepEqual(["/mnt/nas", "/mnt/full", "/srv"].map(mounts), [true, false, undefined]);
    assert.deepEqual(["tmp-1", "db"].map(containers), [false, undefined]);
    choices.take(`0 ${toSentLists().json}`);
    assert.deepEqual(["/mnt/nas", "/mnt/full"].map(mounts), [undefined, false]);
  });

  it("are names and nothing else: what is no list changes nothing", () => {
    const choices = createChoices(noLists);
    choices.take(`a1 ${toSentLists(given).json}`);
    for (const text of [
      "",
      "a2",
      "a2 null",
      'a2 {"mounts":5}',
      'a2 {"mounts":"!"}',
      `a2 {"mounts":"${"x".repeat(501)}"}`,
      'a2 {"mounts":"a\\u0007b"}',
      "A2 {}",
    ])
      assert.throws(() => choices.take(text), /cannot be used/u, text);
    assert.equal(choices.revision, "a1");
    assert.equal(choices.filters.mounts("/mnt/nas"), true);
  });

  it("have a revision that differs where they do, and is that of a new agent where they are empty", () => {
    assert.equal(toSentLists().revision, createChoices(noLists).revision);
    assert.notEqual(toSentLists(given).revision, toSentLists({ ...given, units: "nginx" }).revision);
    const asked = parseReport(JSON.stringify({ v: 1, cpu: { usagePercent: 1 }, lists: "0" }), {
      collectedAt: Date.UTC(2026, 0, 1),
      now: Date.UTC(2026, 0, 1),
    });
    assert.equal(asked.ok && asked.report?.lists, "0");
  });
});

describe("watched units", () => {
  const unit = (name: string, state = "active") => ({ name, state, description: undefined });

  it("are those that fit, and ones that systemd does not know are inactive", () => {
    const choices = createChoices({ ...noLists, units: "nginx,gone,pg@*,!pg@old.service,backup.timer" });
    const units = [
      unit("nginx.service"),
      unit("ssh.service"),
      unit("pg@15.service", "failed"),
      unit("pg@old.service"),
    ];
    assert.deepEqual(
      pickWatched(units, choices).map(({ name, state }) => `${name} ${state}`),
      ["nginx.service active", "pg@15.service failed", "gone.service inactive", "backup.timer inactive"],
    );
  });
});
