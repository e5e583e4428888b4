import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  DAY_MS,
  toAgo,
  toBytes,
  toCount,
  toLoad,
  toPastDay,
  toMoney,
  toPercent,
  toPrice,
  toRate,
  toSpan,
  toTemperature,
  toTraffic,
  toUptime,
  toUsedTraffic,
} from "../../src/web/app/format.ts";
import { rateUnit, temperatureUnit } from "../../src/web/app/units.ts";
import { toDuration, toExpiry, toSystem } from "../../src/web/fleet/server-words.ts";
import { toUrgency } from "../../src/web/ui/urgency.ts";
import { toRoute } from "../../src/web/app/path.ts";
import { readMetric, readNumber, readUsedPercent } from "../../src/web/app/sample.ts";
import { makeLatest, makeServer, NOW } from "./public-server.ts";

// Figures follow the browser's variant of the language; Deno's is that of the system.
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en-US"] }, configurable: true });

describe("numbers in words", () => {
  for (const [bytes, words] of [
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1 KiB"],
    [1_536, "1.5 KiB"],
    [1_023 * 1_024, "1 MiB"],
    [5 * 1_024 ** 3, "5 GiB"],
    [250 * 1_024 ** 4, "250 TiB"],
    [Number.MAX_SAFE_INTEGER, "8 PiB"],
  ] as const) {
    it(`writes ${bytes} bytes as ${words}`, () => assert.equal(toBytes(bytes), words));
  }

  it("writes traffic in powers of 1,000, and a limit in the units in which it was typed", () => {
    assert.equal(toTraffic(999), "999 B");
    assert.equal(toTraffic(2_500_000_000), "2.5 GB");
    assert.equal(toUsedTraffic({ usedBytes: 9.8e12, limitBytes: 20e12 }), "9.8 TB of 20 TB");
    assert.equal(toUsedTraffic({ usedBytes: 2 ** 39, limitBytes: 2 ** 40 }), "512 GiB of 1 TiB");
    assert.equal(toUsedTraffic({ usedBytes: 5e9, limitBytes: 0 }), "5 GB");
  });

  it("writes speeds and temperatures in the unit that was chosen", () => {
    assert.equal(toTemperature(20), "20 °C");
    rateUnit.value = "bits";
    temperatureUnit.value = "fahrenheit";
    assert.equal(toRate(125_000), "1 Mbit/s");
    assert.equal(toTemperature(20), "68 °F");
    rateUnit.value = "bytes";
    temperatureUnit.value = "celsius";
  });

  it("writes loads with both digits", () => assert.equal(toLoad(2), "2.00"));

  it("writes rates and percentages", () => {
    assert.equal(toRate(2_048), "2 kB/s");
    assert.equal(toPercent(3.14), "3.1%");
    assert.equal(toPercent(42.9), "43%");
  });

  it("never rounds an uptime up to 100 %", () => {
    assert.equal(toUptime(1), "100%");
    assert.equal(toUptime(0.999999), "99.99%");
    assert.equal(toUptime(0), "0%");
  });

  it("writes spans in their two largest units", () => {
    assert.equal(toSpan(3 * DAY_MS + 4 * 3_600_000 + 60_000), "3d 4h");
    assert.equal(toSpan(3 * DAY_MS), "3d");
    assert.equal(toSpan(61_000), "1m 1s");
    assert.equal(toSpan(0), "0s");
    assert.equal(toSpan(-5), "0s");
    assert.equal(toAgo(120_000), "2 minutes ago");
    assert.equal(toCount(1, "day"), "1 day");
  });

  it("writes money by the exponent of its currency", () => {
    assert.equal(toMoney(499, "EUR"), "€4.99");
    assert.equal(toMoney(6_000, "JPY"), "¥6,000");
    assert.equal(toMoney(1_234, "KWD").replaceAll(/\s/gu, " "), "KWD 1.234");
    const cycle = { n: 1, unit: "month" } as const;
    assert.equal(toPrice({ priceMinor: 499, currency: "EUR", cycle }), "€4.99 / month");
    assert.equal(
      toPrice({ priceMinor: 499, currency: "EUR", cycle: { ...cycle, n: 3 } }),
      "€4.99 / 3 months",
    );
    assert.equal(toPrice({ priceMinor: 0, currency: "EUR", cycle }), "Free");
  });
});

describe("past days", () => {
  it("are named by the calendar of a zone, also over a change of its clock", () => {
    const nowMs = Date.parse("2026-03-30T22:30:00Z");
    const name = (days: number, zone: string): string => toPastDay(days, { nowMs, zone });
    assert.deepEqual(
      [0, 1, 2].map((days) => name(days, "Europe/Berlin")),
      ["Mar 31, 2026", "Mar 30, 2026", "Mar 29, 2026"],
    );
    assert.equal(name(0, "America/New_York"), "Mar 30, 2026");
  });
});

describe("a server in words", () => {
  it("is urgent when paid time ends soon, unless it renews automatically", () => {
    const billing = {
      priceMinor: 1,
      currency: "EUR",
      cycle: { n: 1, unit: "month" as const },
      autoRenew: false,
    };
    const urgency = (days: number, autoRenew: boolean): string | undefined =>
      toExpiry(
        makeServer("a", { billing: { ...billing, autoRenew }, nextExpiryAt: NOW + days * DAY_MS }),
        NOW,
      )?.urgency;
    assert.deepEqual(
      [30, 10, 2, -1].map((days) => urgency(days, false)),
      ["none", "warn", "bad", "bad"],
    );
    assert.deepEqual(
      [2, -1].map((days) => urgency(days, true)),
      ["none", "none"],
    );
    assert.equal(toExpiry(makeServer("a"), NOW), undefined);
  });

  it("says how long it is up or gone, and not what it does not know", () => {
    const latest = makeLatest({ uptimeSeconds: 90_000 });
    assert.equal(toDuration(makeServer("a", { latest }), NOW), "up 1d 1h");
    assert.equal(toDuration(makeServer("a"), NOW), "Online");
    const gone = makeServer("a", { state: "offline", lastSeenAt: NOW - 61_000, latest });
    assert.equal(toDuration(gone, NOW), "Offline for 1m 1s");
    assert.equal(toDuration(makeServer("a", { state: "never" }), NOW), "Never connected");
  });

  it("names the system", () => {
    assert.equal(
      toSystem(makeServer("a", { host: { platform: "debian", platformVersion: "12" } })),
      "Debian 12",
    );
    assert.equal(toSystem(makeServer("a", { host: { os: "plan9" } })), "plan9");
    assert.equal(toSystem(makeServer("a")), "");
  });

  it("warns from 75 % on", () => {
    assert.deepEqual([74.9, 75, 90].map(toUrgency), ["none", "warn", "bad"]);
  });

  it("does not know a value that was not reported, nor a share of nothing", () => {
    const server = makeServer("a", {
      latest: makeLatest({ memory: { usedBytes: 1, totalBytes: 4 }, swap: { usedBytes: 0, totalBytes: 0 } }),
    });
    assert.equal(readUsedPercent(server, "memory"), 25);
    assert.equal(readMetric(server, "memory.usedPercent"), 25);
    assert.equal(readUsedPercent(server, "swap"), undefined);
    assert.equal(readNumber(server, "cpu.usagePercent"), undefined);
    assert.equal(readNumber(server, "memory.toString"), undefined);
    assert.equal(readNumber(makeServer("b"), "cpu.usagePercent"), undefined);
  });
});

describe("paths of the page", () => {
  it("are the fleet, a server and administration", () => {
    assert.deepEqual(toRoute("/"), { page: "fleet" });
    assert.deepEqual(toRoute("/servers/web-1"), { page: "server", id: "web-1" });
    assert.deepEqual(toRoute("/admin"), { page: "admin" });
    assert.deepEqual(toRoute("/admin/rules/7"), { page: "admin", section: "rules", id: "7" });
    for (const path of ["/servers", "/servers/a/b", "/x", "/admin/a/b/c"])
      assert.deepEqual(toRoute(path), { page: "unknown" });
  });
});
