/** Readers of stored data, reports, tables, and imports as targets of the fuzzer. */
import assert from "node:assert/strict";
import { parseCheckFile } from "../../src/kit/check-files/check-file.ts";
import { readCsv } from "../../src/kit/files/csv.ts";
import { decodeText } from "../../src/kit/files/decode-text.ts";
import { toStorableText } from "../../src/kit/text/foreign-text.ts";
import { parseStrictJson, readStrictJson } from "../../src/kit/text/strict-json.ts";
import { planGatus } from "../../src/monitor/checks/import/gatus.ts";
import { parseYaml } from "../../src/monitor/checks/import/gatus-values.ts";
import { planHealthchecks } from "../../src/monitor/checks/import/healthchecks.ts";
import { planKuma } from "../../src/monitor/checks/import/kuma.ts";
import { parseReport } from "../../src/monitor/ingest/report.ts";
import { MalformedMessage, decodeAgentMessage, encodeAgentMessage } from "../../src/monitor/proto/codec.ts";
import { parseCursor } from "../../src/store/cursor.ts";
import { BrokenJson, JsonReader } from "../../src/store/journal/json-reader.ts";
import { parseLine, toChecksum, toFirstLine } from "../../src/store/journal/line.ts";
import { StoreError } from "../../src/store/store.ts";
import { type FuzzTarget, NOW, allow, attempt, jsonWords, toText } from "./fuzz-target.ts";

export const dataTargets: Readonly<Record<string, FuzzTarget>> = {
  "strict-json": {
    files: /kit\/text\/(?:strict-json|foreign-text)/u,
    words: jsonWords,
    seeds: ['{"a":[1,2,{"b":"c\\u0041"}]}', "[[[[[[]]]]]]", '"\\ud83d\\ude00"'],
    run(bytes) {
      attempt(() => {
        const text = JSON.stringify(parseStrictJson(bytes));
        assert.equal(JSON.stringify(parseStrictJson(Buffer.from(text))), text);
      });
      attempt(() => {
        const { value } = readStrictJson(bytes, { isForeign: true });
        if (typeof value === "string") assert.equal(toStorableText(value), value);
      });
    },
  },
  "json-reader": {
    files: /store\/journal\/json-reader/u,
    words: jsonWords,
    seeds: ['{"a":1,"b":[1,2],"c":{"d":"\\""}}', '[{"id":"x"},{"id":"y"}]', "\ufeff[]"],
    async run(bytes) {
      // The same whatever the pieces that it comes in are.
      const read = async (size: number): Promise<string> => {
        async function* chunks(): AsyncGenerator<Uint8Array> {
          for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
        }
        const reader = new JsonReader(chunks());
        try {
          if (await reader.isObject()) return "object";
          let found = "";
          for await (const { offset, bytes: value } of reader.items({ isLines: false }))
            found += `${offset}:${value.toString("hex")} `;
          return found;
        } catch (error) {
          assert.ok(error instanceof BrokenJson, String(error));
          assert.ok(error.offset >= 0 && error.offset <= bytes.length + 3, String(error.offset));
          return `broken ${error.offset}`;
        }
      };
      assert.equal(await read(3), await read(4_096));
    },
  },
  "journal-line": {
    files: /store\/journal\/line/u,
    words: [...jsonWords, "\t", "\n", "put", "delete"],
    seeds: ['{"lsn":1,"at":2,"ops":[]}', toFirstLine({ lsn: 7, at: NOW }).slice(9, -1)],
    run(bytes) {
      parseLine(bytes);
      // The checksum is right: the rest is read.
      parseLine(Buffer.concat([Buffer.from(`${toChecksum(bytes)} `), bytes]));
    },
  },
  cursor: {
    files: /store\/cursor/u,
    words: ["eyJ", "W10", "=", "-", "_"],
    seeds: [Buffer.from('["byName","a"]').toString("base64url"), "AAAA"],
    run(bytes) {
      try {
        assert.equal(parseCursor(toText(bytes), { index: "byName", length: 1 }).length, 1);
      } catch (error) {
        assert.ok(error instanceof StoreError && error.code === "bad_cursor", String(error));
      }
    },
  },
  report: {
    files: /monitor\/(?:ingest\/report|base\/report-schema)/u,
    words: [
      ...jsonWords,
      '"cpu"',
      '"disk"',
      '"mounts"',
      '"usedPercent"',
      '"path"',
      '"totalBytes"',
      "1e308",
      "-1",
    ],
    seeds: [
      '{"cpu":{"usedPercent":5},"memory":{"usedBytes":1,"totalBytes":2}}',
      '{"disk":{"mounts":[{"path":"/","usedBytes":1,"totalBytes":2}]},"details":{"containers":[]}}',
    ],
    run(bytes) {
      const parsed = parseReport(toText(bytes), { collectedAt: NOW, now: NOW });
      if (!parsed.ok) assert.ok(parsed.reason.length > 0 && parsed.reason.length < 500, parsed.reason);
    },
  },
  proto: {
    files: /monitor\/proto/u,
    words: ["\n", "\x12", "\x08", "\xff\xff\xff\xff\x0f", "hello"],
    seeds: [
      encodeAgentMessage({ kind: "metrics", payloadJson: "{}", collectedAtUnixMs: NOW }),
      encodeAgentMessage({ kind: "hello", serverId: "a", agentKey: "b", hostname: "c" }),
      encodeAgentMessage({ kind: "heartbeat" }),
    ],
    run(bytes) {
      try {
        decodeAgentMessage(bytes);
      } catch (error) {
        assert.ok(error instanceof MalformedMessage, String(error));
      }
    },
  },
  csv: {
    files: /kit\/files\/(?:csv|decode-text)/u,
    words: ['"', ",", ";", "\t", "\r\n", "\r", "\ufeff", '""', "\xff\xfe"],
    seeds: ['a,b\r\n"1","2 ""x"""\r\n', "a;b\n1;2", "\ufeffx\ty\n1\t2"],
    async run(bytes) {
      try {
        for await (const { cells } of readCsv(bytes).rows) assert.ok(cells.length > 0);
      } catch (error) {
        allow(error);
      }
      attempt(() => void decodeText(bytes));
    },
  },
  gatus: {
    files: /monitor\/checks\/import/u,
    words: [
      "endpoints:",
      "\n  - ",
      "name: x",
      "url: ",
      "conditions:",
      '"[STATUS] == 200"',
      "&a ",
      "*a",
      "<<: *a",
      "!!",
      "interval: 1h",
    ],
    seeds: [
      'endpoints:\n  - name: a\n    url: https://example.org\n    interval: 30s\n    conditions:\n      - "[STATUS] == 200"\n',
    ],
    run(bytes) {
      attempt(() => void planGatus(parseYaml(toText(bytes))));
    },
  },
  kuma: {
    files: /monitor\/checks\/import/u,
    words: [
      ...jsonWords,
      '"monitorList"',
      '"type"',
      '"http"',
      '"port"',
      '"dns"',
      '"push"',
      '"url"',
      '"hostname"',
      '"parent"',
    ],
    seeds: [
      '{"version":"1.23.0","monitorList":[{"id":1,"name":"a","type":"http","url":"https://example.org","interval":60}]}',
      '{"checks":[{"name":"a","slug":"a","timeout":60,"grace":60,"tags":"x"}]}',
    ],
    run(bytes) {
      attempt(() => {
        const document = parseStrictJson(bytes, { maxDepth: 32 });
        planKuma(document);
        planHealthchecks(document);
      });
    },
  },
  "check-file": {
    files: /kit\/check-files/u,
    words: [...jsonWords, '"checks"', '"kind"', '"http"', '"tcp"', '"host"', '"intervalSeconds"'],
    seeds: ['{"checks":[{"slug":"a","name":"a","target":{"kind":"tcp","host":"example.org","port":1}}]}'],
    run(bytes) {
      parseCheckFile(bytes);
    },
  },
};
