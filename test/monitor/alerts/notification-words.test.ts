import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { toNotice } from "../../../src/monitor/alerts/notification-words.ts";
import type { WordsOptions } from "../../../src/monitor/alerts/words-options.ts";
import { toGroupNotices } from "../../../src/monitor/alerts/notification-groups.ts";
import { type NewIncident, conditionSchema } from "../../../src/monitor/alerts/schema.ts";
import type { LatestSample } from "../../../src/monitor/fleet/live.ts";

/** 03:16:14 in Berlin. */
const NOW = Date.parse("2026-11-22T02:16:14Z");
const MINUTE = 60_000;

const latest: LatestSample = {
  collectedAt: NOW,
  receivedAt: NOW,
  flags: [],
  sample: {
    v: 1,
    cpu: { usagePercent: 70.4 },
    memory: { usedBytes: 8, totalBytes: 100 },
    disk: {
      usedBytes: 1,
      totalBytes: 1_000,
      mounts: [
        { path: "/data", usedBytes: 1, totalBytes: 900 },
        { path: "/", usedBytes: 99, totalBytes: 100 },
      ],
    },
  },
};

let options: WordsOptions;
let incident: NewIncident;

beforeEach(() => {
  options = {
    publicUrl: "https://status.example",
    language: "en",
    timeZone: "Europe/Berlin",
    now: NOW,
    countBehind: () => ({ checks: 0, servers: 0 }),
    describeCheck: () => undefined,
    describe: () => ({
      record: { name: "Home box", group: "Home", region: "DE", provider: "Hetzner", tags: ["web"] },
      latest,
    }),
  };
  incident = {
    id: "inc_1",
    state: "open",
    ruleId: "alr_1",
    ruleName: "Server offline for 2 minutes",
    ruleRevision: 1,
    condition: conditionSchema.parse({ kind: "offline", graceSeconds: 120 }),
    severity: "critical",
    channelIds: ["a"],
    serverId: "home",
    serverName: "Home box",
    serverCreatedAt: 0,
    since: NOW - 2 * MINUTE,
    openedAt: NOW,
    told: { down: true, up: false },
  };
});

const toEnded = (more: Partial<NewIncident>): NewIncident => ({
  ...incident,
  state: "closed",
  closedBy: "recovered",
  resolvedAt: NOW,
  durationSeconds: 186,
  ...more,
});

describe("a notification at 3 in the morning", () => {
  it("says what, where, since when in the owner's zone, the last values, and one link", () => {
    const { title, text, url, severity } = toNotice(incident, "down", options);
    assert.equal(title, "🔴 Home box offline since 03:14 (2 min)");
    assert.deepEqual(text.split("\n"), [
      "Home · Germany · Hetzner · #web",
      "Since: 2026-11-22 03:14 Europe/Berlin (2 min)",
      "Last values: CPU 70 %, memory 8 %, fullest disk / 99 %",
      "Rule: Server offline for 2 minutes (critical)",
      "Condition: offline for 2 min",
    ]);
    assert.deepEqual([url, severity], ["https://status.example/servers/home", "critical"]);
  });

  it("says so in the settings' language", () => {
    const { title, text } = toNotice(incident, "down", { ...options, language: "zh" });
    assert.equal(title, "🔴 Home box 离线，自 03:14 起（2 分）");
    assert.deepEqual(text.split("\n"), [
      "Home · 德国 · Hetzner · #web",
      "开始时间：2026-11-22 03:14 Europe/Berlin（2 分）",
      "最近数值：CPU 70 %，内存 8 %，最满的磁盘 / 99 %",
      "规则：Server offline for 2 minutes（严重）",
      "条件：离线 2 分",
    ]);
    const german = toNotice(incident, "down", { ...options, language: "de" });
    assert.equal(german.title, "🔴 Home box offline seit 03:14 (2 Min.)");
    assert.deepEqual(german.text.split("\n"), [
      "Home · Deutschland · Hetzner · #web",
      "Seit: 2026-11-22 03:14 Europe/Berlin (2 Min.)",
      "Letzte Werte: CPU 70 %, Speicher 8 %, vollste Festplatte / 99 %",
      "Regel: Server offline for 2 minutes (kritisch)",
      "Bedingung: offline seit 2 Min.",
    ]);
  });

  it("names the day of what began on another one, and leaves out what is not known", () => {
    const old = { ...incident, since: NOW - 5 * 60 * MINUTE };
    const { title, text } = toNotice(old, "down", { ...options, describe: () => undefined });
    assert.equal(title, "🔴 Home box offline since 2026-11-21 22:16 (5 h)");
    assert.match(text, /^Since: [^\n]+\nRule: /u);
  });

  it("says how long it took, once it is over", () => {
    const { title, text, kind } = toNotice(toEnded({}), "up", options);
    assert.equal(title, "🟢 Home box back online after 3 min 6 s");
    assert.equal(kind, "resolved");
    assert.match(text, /^From 2026-11-22 03:14 until 2026-11-22 03:16 Europe\/Berlin \(3 min 6 s\)$/mu);
  });

  it("gives no duration of what has just begun", () => {
    for (const [ms, said] of [
      [0, "since 03:16"],
      [499, "since 03:16"],
      [1_000, "since 03:16 (1 s)"],
    ] as const) {
      const { title, text } = toNotice({ ...incident, since: NOW - ms }, "down", options);
      assert.ok(title.endsWith(said), title);
      assert.doesNotMatch(`${title}\n${text}`, /\(0 s\)/u);
    }
  });

  it("names a metric in words, with value and limit", () => {
    const condition = conditionSchema.parse({
      kind: "metric",
      metric: "cpu.usagePercent",
      op: ">",
      threshold: 3,
      forSeconds: 10,
    });
    const busy = { ...incident, condition, severity: "warning", firedValue: 97.8 } as const;
    assert.equal(toNotice(busy, "down", options).title, "🟠 Home box: CPU use 97.8 %, limit 3 %");
    assert.equal(
      toNotice(busy, "down", { ...options, language: "de" }).title,
      "🟠 Home box: CPU-Auslastung 97,8 %, Grenze 3 %",
    );
    assert.match(toNotice(busy, "down", options).text, /^Condition: CPU use above 3 % for 10 s$/mu);
    const over = toEnded({ condition, resolvedValue: 2 });
    assert.equal(
      toNotice(over, "up", options).title,
      "🟢 Home box: CPU use 2 %, back below 3 % after 3 min 6 s",
    );
    assert.equal(
      toNotice(over, "up", { ...options, language: "zh" }).title,
      "🟢 Home box：CPU 使用率 2 %，已回到 3 % 以下（历时 3 分 6 秒）",
    );
  });

  it("does no harm when someone edited the rule", () => {
    const { title, text } = toNotice(toEnded({ closedBy: "rule_changed" }), "up", options);
    assert.equal(title, '⚪ Home box: "Server offline for 2 minutes" closed, the rule was edited');
    assert.match(
      text,
      /^Someone edited the rule\. It keeps monitoring this server with its new condition\.\n/u,
    );
  });

  it("names each of several with its sign and since when", () => {
    const other = { ...toEnded({}), id: "inc_2", serverName: "NAS", owed: "up" } as const;
    const both = [{ ...incident, owed: "down" as const }, other];
    const [notice] = toGroupNotices(both, { ...options, kind: "digest", batch: "grp_1" });
    assert.equal(notice?.title, "🔴 Quiet hours have ended: 1 still firing, 1 resolved");
    assert.equal(
      notice.text,
      "Still firing:\n- 🔴 Home box offline since 03:14 (2 min)\nResolved:\n- 🟢 NAS back online after 3 min 6 s",
    );
  });
});
