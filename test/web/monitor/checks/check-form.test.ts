import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkInputSchema } from "../../../../src/monitor/checks/view-schema.ts";
import {
  type CheckForm,
  newCheckForm,
  parseCheckForm,
  toCheckForm,
  toDefaultName,
  toKindChange,
  toSpanValues,
} from "../../../../src/web/monitor/checks/editor/check-form.ts";
import { checkKindNames } from "../../../../src/web/monitor/pieces/check-words.ts";

const unpaused = { paused: false };

function withValues(form: CheckForm, values: Readonly<Record<string, string>>): CheckForm {
  return { ...form, values: { ...form.values, ...values } };
}

/** What has to be typed of each kind, at least. */
const typed: Readonly<Record<string, string>> = {
  "http.url": "https://example.org/health",
  "tcp.host": "db.example.org",
  "tls.host": "example.org",
  "dns.name": "example.org",
  "ping.host": "192.0.2.1",
};

function getFields(form: CheckForm): object {
  const parsed = parseCheckForm(form, unpaused);
  assert.ok(parsed.ok, JSON.stringify("faults" in parsed ? [...parsed.faults] : []));
  return parsed.fields;
}

describe("the form of a check", () => {
  for (const kind of checkKindNames)
    it(`of kind ${kind} gives what the monitor takes, and shows the same again`, () => {
      const form = { ...withValues(newCheckForm(kind), typed), name: "One" };
      const fields = getFields(form);
      const taken = checkInputSchema.parse(fields);
      assert.deepEqual(checkInputSchema.parse(getFields(toCheckForm(taken))), taken);
    });

  it("says of each field that lacks something where that is", () => {
    const form = {
      ...withValues(newCheckForm("http"), {
        "timing.intervalSeconds": "5",
        "timing.intervalSeconds.unit": "s",
      }),
      center: false,
    };
    const parsed = parseCheckForm(form, unpaused);
    assert.ok(!parsed.ok);
    assert.deepEqual([...parsed.faults.keys()].sort(), [
      "/intervalSeconds",
      "/name",
      "/places",
      "/target/url",
    ]);
  });

  it("keeps stored header values that nobody types, and sends those that are typed", () => {
    const form = {
      ...withValues(newCheckForm("http"), typed),
      headers: [
        { name: "X-Kept", value: "", isKept: true },
        { name: "X-New", value: "1", isKept: true },
        { name: "X-Empty", value: "", isKept: false },
        { name: "", value: "", isKept: false },
      ],
    };
    const parsed = parseCheckForm(form, unpaused);
    assert.ok(parsed.ok && parsed.fields.target.kind === "http");
    assert.deepEqual(parsed.fields.target.headers, [
      { name: "X-Kept" },
      { name: "X-New", value: "1" },
      { name: "X-Empty", value: "" },
    ]);
  });

  it("asks for what the other way of a plan needs, and sends nothing of this one", () => {
    const form = {
      ...withValues(newCheckForm("heartbeat", "Europe/Berlin"), { "heartbeat.schedule.type": "cron" }),
      name: "Backup",
    };
    const lacking = parseCheckForm(form, unpaused);
    assert.ok(!lacking.ok && lacking.faults.has("/target/schedule/expression"));
    const parsed = parseCheckForm(
      withValues(form, { "heartbeat.schedule.expression": "15 3 * * *" }),
      unpaused,
    );
    assert.ok(parsed.ok && parsed.fields.target.kind === "heartbeat");
    assert.deepEqual(parsed.fields.target.schedule, {
      type: "cron",
      expression: "15 3 * * *",
      timeZone: "Europe/Berlin",
    });
  });

  it("takes no quorum that the places cannot reach", () => {
    const form = {
      ...withValues(newCheckForm("http"), typed),
      quorum: "count" as const,
      quorumCount: "3",
      serverIds: ["web-1"],
    };
    const parsed = parseCheckForm(form, unpaused);
    assert.ok(!parsed.ok && parsed.faults.has("/places/quorum"));
    const reached = parseCheckForm({ ...form, quorumCount: "2" }, unpaused);
    assert.ok(reached.ok && reached.fields.places.quorum === 2);
  });
});

describe("the name of a check without one", () => {
  it("is the host of what is typed", () => {
    assert.equal(
      toDefaultName(withValues(newCheckForm("http"), { "http.url": "https://example.org:8443/x" })),
      "example.org",
    );
    assert.equal(toDefaultName(withValues(newCheckForm("http"), { "http.url": "http://[::1]:80/" })), "::1");
    assert.equal(toDefaultName(withValues(newCheckForm("http"), { "http.url": "exam" })), "");
    assert.equal(toDefaultName(withValues(newCheckForm("tcp"), { "tcp.host": "db" })), "db:5432");
  });
});

describe("another kind of check", () => {
  it("takes the host along, and nothing over what is typed already", () => {
    const form = withValues(newCheckForm("http"), { "http.url": "https://example.org/" });
    assert.equal(toKindChange(form, "tls").values?.["tls.host"], "example.org");
    assert.equal(toKindChange(withValues(form, { "tls.host": "other" }), "tls").values, undefined);
    assert.deepEqual(toKindChange(form, "heartbeat"), { kind: "heartbeat" });
  });
});

describe("a span of seconds", () => {
  it("is shown in the largest unit in which it is whole", () => {
    const shown = [20, 60, 90, 3_600, 86_400, 0].map((seconds) =>
      Object.values(toSpanValues(seconds)).join(" "),
    );
    assert.deepEqual(shown, ["20 s", "1 min", "90 s", "1 h", "1 d", "0 min"]);
  });
});
