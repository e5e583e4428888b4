/** Rules that watch checks: what several places find, ends of certificates, and masses. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type AlertsBench, createAlertsBench } from "./alerts-bench.ts";
import { found } from "./fake-checks.ts";

const rule = { kind: "check", name: "A check is down", severity: "critical" };
const DAY_MS = 86_400_000;

let bench: AlertsBench;

beforeEach(async () => {
  bench = await createAlertsBench();
  bench.checks.add("chk_1", { name: "Shop", group: "Public", tags: ["web"] });
  bench.checks.up("chk_1");
});

describe("a check of several places", () => {
  const [timeout, refused] = [
    { fault: "timeout", detail: "ETIMEDOUT" } as const,
    { fault: "refused" } as const,
  ];

  it("alerts while only some of them are down only if the rule says so", async () => {
    bench.server("fra-1", { name: "Frankfurt" });
    await bench.rule(rule);
    await bench.rule({ ...rule, countsPartial: true, channelIds: ["b"] });
    const places = [
      found({ latencyMs: 20 }),
      found({ place: "fra-1", ...timeout }),
      found({ place: "tyo-1" }),
    ];
    bench.checks.stand("chk_1", "partial", { places });
    await bench.pass(1);
    const [partial, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.equal(partial?.channelId, "b");
    assert.equal(partial.title, "🔴 Shop down from 1 of 3 locations: no answer in time since 12:00 (1 s)");
    assert.match(partial.text, /^Down from: Frankfurt \(1 of 3 locations\)$/mu);
    bench.checks.stand("chk_1", "up", { places: places.map(({ place }) => found({ place })) });
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["b: Shop up again"]);
  });

  it("names the places, those that are gone by their id, and what most of them found", async () => {
    bench.server("fra-1", { name: "Frankfurt" });
    await bench.rule(rule);
    const places = [
      found({ ...refused, detail: "ECONNREFUSED" }),
      found({ place: "fra-1", ...timeout }),
      found({ place: "gone-1", ...timeout }),
      found({ place: "tyo-1" }),
    ];
    bench.checks.stand("chk_1", "down", { places });
    await bench.pass(1);
    const [down] = await bench.takeTold();
    assert.equal(down?.title, "🔴 Shop down: no answer in time since 12:00 (1 s)");
    assert.match(
      down.text,
      /^Details: ETIMEDOUT\nDown from: this monitor, Frankfurt, gone-1 \(3 of 4 locations\)$/mu,
    );
    const one = places.map((place, index) => (index === 1 ? place : found({ place: place.place })));
    bench.checks.stand("chk_1", "partial", { places: one });
    await bench.pass(1);
    const [up] = await bench.takeTold();
    assert.equal(up?.title, "🟢 Shop up again after 2 s");
    assert.match(up.text, /^Down from: Frankfurt \(1 of 4 locations\)$/mu);
  });
});

describe("a certificate", () => {
  const toCertificate = (validTo: number) => ({
    certificate: {
      subject: "CN=shop.example",
      issuer: "Let's Encrypt R11",
      names: ["shop.example"],
      validFrom: 0,
      validTo,
      isTrusted: true,
    },
  });
  const ends = { kind: "certificate", name: "Certificate", daysAhead: 14 };

  it("alerts once for each expiry date, with the days left", async () => {
    await bench.rule(ends);
    const first = bench.clock.now() + 6.5 * DAY_MS;
    bench.checks.stand("chk_1", "up", toCertificate(first));
    await bench.pass(61);
    const [told, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.equal(told?.title, "🟠 Shop: certificate expires in 6 days (2026-02-07)");
    assert.match(told.text, /^Details: shop\.example · Let's Encrypt R11$/mu);
    assert.deepEqual([told.kind, told.url], ["reminder", "https://status.example/admin/checks/chk_1"]);
    await bench.restart();
    bench.checks.stand("chk_1", "down", toCertificate(first));
    await bench.pass(600);
    assert.deepEqual(await bench.takeTold(), []);
    bench.checks.stand("chk_1", "up", toCertificate(first + 90 * DAY_MS));
    await bench.pass(61);
    assert.deepEqual(await bench.takeTitles(), ["Shop: certificate now valid until 2026-05-08"]);
    // One of two machines still shows the old one.
    bench.checks.stand("chk_1", "up", toCertificate(first));
    await bench.pass(61);
    assert.deepEqual(await bench.takeTold(), []);
    bench.checks.stand("chk_1", "up", toCertificate(bench.clock.now() + 2 * DAY_MS));
    await bench.pass(61);
    assert.deepEqual(await bench.takeTitles(), ["Shop: certificate expires in 1 day (2026-02-02)"]);
  });

  it("alerts in the last third of a short validity, so that one renewed daily never does", async () => {
    await bench.rule(ends);
    const told = async (hours: number, leftHours: number): Promise<number> => {
      const validTo = bench.clock.now() + (leftHours * DAY_MS) / 24;
      const validFrom = validTo - (hours * DAY_MS) / 24;
      const stand = toCertificate(validTo);
      bench.checks.stand("chk_1", "up", { ...stand, certificate: { ...stand.certificate, validFrom } });
      await bench.pass(61);
      return (await bench.takeTold()).length;
    };
    assert.equal(await told(24, 23), 0);
    assert.equal(await told(24, 8.5), 0);
    assert.equal(await told(144, 49), 0);
    assert.equal(await told(24, 7.5), 1);
    assert.equal(await told(90 * 24, 20 * 24), 1); // that it is over
    assert.equal(await told(90 * 24, 13 * 24), 1);
  });

  it("says when it has expired, and nothing while it is unknown", async () => {
    await bench.rule(ends);
    bench.checks.stand("chk_1", "unknown", toCertificate(bench.clock.now() - DAY_MS));
    await bench.pass(61);
    bench.checks.stand("chk_1", "down");
    await bench.pass(61);
    bench.checks.stand("chk_1", "up");
    await bench.pass(61);
    assert.deepEqual(await bench.takeTold(), []);
    bench.checks.stand("chk_1", "down", toCertificate(bench.clock.now() - DAY_MS));
    await bench.pass(61);
    assert.deepEqual(await bench.takeTitles(), ["Shop: certificate expired on 2026-01-30"]);
  });
});

describe("1,000 checks that fail at once", () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `chk_${index}`);

  it("are one message for each channel, and so is their end", async () => {
    await bench.rule({ ...rule, channelIds: ["a", "b"] });
    for (const id of ids) bench.checks.add(id);
    bench.checks.up(...ids);
    await bench.pass(1);
    bench.checks.down(...ids);
    await bench.pass(40);
    const told = await bench.takeTold();
    assert.deepEqual(
      told.map(({ channelId, title }) => [channelId, title]),
      [
        ["a", "🔴 1000 checks down"],
        ["b", "🔴 1000 checks down"],
      ],
    );
    const lines = told[0]?.text.split("\n") ?? [];
    assert.match(lines[1] ?? "", /^- 🔴 \S+ down: connection refused since 12:00 \(\d+ s\)$/u);
    assert.equal(lines.at(-1), "and 950 more");
    bench.checks.up(...ids);
    await bench.pass(40);
    assert.deepEqual(await bench.takeTitles(), ["1000 checks up again", "b: 1000 checks up again"]);
    assert.equal(bench.alerts.firing().length, 0);
  });
});
