import { isSmart, toDiskHealth } from "../../../src/agent/details/smart.ts";
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createExtraFiles, parseExtraFile } from "../../../src/agent/details/extra-files.ts";

const NOW = Date.UTC(2026, 10, 22);
const HOUR_MS = 3_600_000;

describe("parseExtraFile", () => {
  const at = { writtenAtUnixMs: NOW - HOUR_MS, nowUnixMs: NOW };

  it("takes numbers and texts with unit and state", () => {
    const text = JSON.stringify({
      title: " UPS\n",
      values: [
        { name: "Charge", value: 87.5, unit: "%", state: "warning" },
        { name: "State", value: "on battery", more: 1 },
      ],
    });
    assert.deepEqual(JSON.parse(JSON.stringify(parseExtraFile(text, at))), {
      title: "UPS",
      writtenAtUnixMs: NOW - HOUR_MS,
      values: [
        { name: "Charge", value: 87.5, unit: "%", state: "warning" },
        { name: "State", text: "on battery", state: "ok" },
      ],
    });
  });

  it("leaves out what is older than it may be, a day unless the file says otherwise", () => {
    const toText = (maxAgeSeconds?: number): string =>
      JSON.stringify({ title: "x", values: [], maxAgeSeconds });
    const age = (ms: number): typeof at => ({ writtenAtUnixMs: NOW - ms, nowUnixMs: NOW });
    assert.ok(parseExtraFile(toText(), age(24 * HOUR_MS)));
    assert.equal(parseExtraFile(toText(), age(24 * HOUR_MS + 1)), undefined);
    assert.equal(parseExtraFile(toText(60), age(60_001)), undefined);
    assert.ok(parseExtraFile(toText(60), age(60_000)));
  });

  const wrong: readonly (readonly [text: string, fault: RegExp])[] = [
    ["{", /JSON/u],
    ["[]", /^title must be a string$/u],
    ['{"title":"x"}', /^values must be a list$/u],
    ['{"title":"x","values":[],"maxAgeSeconds":0}', /^maxAgeSeconds must be a number from 1 to 604800$/u],
    ['{"title":"x","values":[{"value":1}]}', /^values\[0\]\.name must be a string$/u],
    [
      '{"title":"x","values":[{"name":"a","value":null}]}',
      /^values\[0\]\.value must be a number or a string$/u,
    ],
    [
      '{"title":"x","values":[{"name":"a","value":1,"state":"bad"}]}',
      /^values\[0\]\.state must be one of ok, warning, critical, unknown$/u,
    ],
  ];
  for (const [text, fault] of wrong) {
    it(`says what is wrong with ${text}`, () => {
      assert.throws(
        () => parseExtraFile(text, at),
        (error) => error instanceof Error && fault.test(error.message),
      );
    });
  }
});

describe("the folder of extra files", () => {
  it("gives the values of its files, and names each faulty one once", async () => {
    const folder = await mkdtemp(join(tmpdir(), "trivet-extra-"));
    const faults: string[] = [];
    const read = createExtraFiles({
      folder: join(folder, "extra.d"),
      now: () => NOW,
      onFault: (text) => faults.push(text),
    });
    const write = async (name: string, value: unknown): Promise<void> => {
      const path = join(folder, "extra.d", name);
      await writeFile(path, typeof value === "string" ? value : JSON.stringify(value));
      await utimes(path, NOW / 1_000, NOW / 1_000);
    };
    try {
      assert.deepEqual(await read(), {});
      await mkdir(join(folder, "extra.d", "folder.json"), { recursive: true });
      const values = Array.from({ length: 40 }, (_, index) => ({
        name: `v${index}`,
        value: index,
        state: "critical",
      }));
      await write("b.json", { title: "B", values });
      await write("a.json", {
        title: "A",
        values: [...values, { name: "last", value: "x", state: "warning" }],
      });
      await write("large.json", `"${"x".repeat(16 * 1024)}"`);
      await write("a.json.tmp", "half");
      await write(".hidden.json", "half");
      const reading = await read();
      const extras = reading.details?.extras ?? [];
      assert.deepEqual(
        extras.map(({ title, writtenAtUnixMs, values: own }) => [title, writtenAtUnixMs, own.length]),
        [
          ["A", NOW, 41],
          ["B", NOW, 23],
        ],
      );
      assert.deepEqual(reading.extra, { warnings: 1, criticals: 63 });
      await read();
      assert.equal(faults.length, 2);
      assert.match(faults.join("\n"), /folder\.json" is ignored: is not a file/u);
      assert.match(faults.join("\n"), /large\.json" is ignored: is larger than 16384 bytes/u);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("files of smartctl", () => {
  // As smartctl 7.4 writes them, shortened.
  const ata = {
    json_format_version: [1, 0],
    smartctl: { version: [7, 4], exit_status: 8 },
    device: { name: "/dev/sda", type: "sat" },
    model_name: "WDC WD40EFRX",
    smart_status: { passed: false },
    ata_smart_attributes: {
      table: [
        { id: 5, name: "Reallocated_Sector_Ct", raw: { value: 12, string: "12" } },
        { id: 194, name: "Temperature_Celsius", raw: { value: 38 } },
      ],
    },
    temperature: { current: 38 },
  };
  const nvme = {
    smartctl: { version: [7, 4] },
    device: { name: "/dev/nvme0" },
    model_name: "Samsung 990",
    smart_status: { passed: true },
    nvme_smart_health_information_log: { percentage_used: 3, temperature: 41 },
    temperature: { current: 41 },
  };

  it("are the health of disks, beside values; one that says nothing is unknown", () => {
    assert.deepEqual(toDiskHealth(ata), {
      name: "sda",
      model: "WDC WD40EFRX",
      state: "failing",
      celsius: 38,
      wornPercent: undefined,
      reallocatedSectors: 12,
    });
    assert.deepEqual(
      [toDiskHealth(nvme).state, toDiskHealth(nvme).wornPercent, toDiskHealth(nvme).reallocatedSectors],
      ["ok", 3, undefined],
    );
    assert.equal(toDiskHealth({ smartctl: { version: [7] }, device: { name: "/dev/sdb" } }).state, "unknown");
    assert.throws(() => toDiskHealth({ smartctl: { version: [7] } }), /device\.name/u);
    assert.equal(isSmart({ title: "SMART", values: [] }), false);
  });
});
