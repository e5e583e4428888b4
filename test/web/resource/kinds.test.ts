/** Kinds of fields: what is stored is shown and read back as it was, and what is typed is held to the bounds. */
import "./browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { FieldJson, FieldsJson } from "../../../src/kit/fields/field-json.ts";
import { makeForm, readForm, toBlank, toTyped } from "../../../src/web/ui/resource/form.ts";
import type { Form, Typed } from "../../../src/web/ui/resource/kind.ts";
import { everyKind } from "../../../src/web/ui/resource/every-kind.ts";
import { kindOf as findKind } from "../../../src/web/ui/resource/kind-of.ts";
import { proposedKind } from "../../../src/web/ui/resource/reference-kinds.tsx";

const kindOf = (json: FieldJson) => findKind(json, everyKind());
const at = { form: {}, context: undefined, words: "x" };
const read = (json: FieldJson, typed: Typed, before?: unknown) => kindOf(json).read(typed, { ...at, before });
const word = fc.stringMatching(/^[a-z][a-z ]{0,10}[a-z]$/u);

/** Of each kind: fields, and values that they take. */
const values: readonly (readonly [FieldJson, fc.Arbitrary<unknown>])[] = [
  [{ kind: "text", max: 60 }, word],
  [{ kind: "text", long: true }, fc.string()],
  [{ kind: "text", min: 1, nullable: true }, fc.option(word)],
  [{ kind: "switch" }, fc.boolean()],
  [{ kind: "choice", choices: ["a", "b", "c"] }, fc.constantFrom("a", "b", "c")],
  [{ kind: "choice", choices: [1, 2, 3], nullable: true }, fc.constantFrom(1, 2, 3, null)],
  [{ kind: "number", min: 0, max: 1_000 }, fc.nat({ max: 1_000 })],
  [{ kind: "number", min: 1, max: 5, nullable: true }, fc.option(fc.integer({ min: 1, max: 5 }))],
  [{ kind: "percent" }, fc.nat({ max: 10_000 })],
  [{ kind: "duration" }, fc.nat({ max: 40_000_000 })],
  [{ kind: "tags" }, fc.uniqueArray(word)],
  [{ kind: "choices", choices: ["a", "b"] }, fc.subarray(["a", "b"])],
  [{ kind: "pairs" }, fc.dictionary(word, word, { noNullPrototype: true })],
  [
    { kind: "list", fields: { from: { kind: "number", max: 99 }, name: { kind: "text" } } },
    fc.array(fc.record({ from: fc.nat({ max: 99 }), name: word }, { noNullPrototype: true })),
  ],
  [
    { kind: "group", fields: { on: { kind: "switch" }, every: { kind: "duration" } } },
    fc.record({ on: fc.boolean(), every: fc.nat({ max: 999 }) }, { noNullPrototype: true }),
  ],
];

describe("kindOf", () => {
  for (const [json, arbitrary] of values)
    it(`shows and reads back: ${JSON.stringify(json)}`, () => {
      const sent: unknown = JSON.parse(JSON.stringify(json));
      const kind = kindOf(sent as FieldJson);
      fc.assert(
        fc.property(arbitrary, (value) => {
          assert.deepEqual(kind.read(kind.toTyped(value, at), { ...at, before: value }), { value });
        }),
      );
    });

  it("keeps the seconds of an unchanged moment", () => {
    const before = "2026-01-02T03:04:05.678+00:00";
    const kind = kindOf({ kind: "time" });
    assert.deepEqual(kind.read(kind.toTyped(before, at), { ...at, before }), { value: before });
    const other = kind.read("2026-01-02T09:30", { ...at, before });
    assert.ok("value" in other && String(other.value).endsWith(":30:00.000Z"));
  });

  it("refuses what is beyond the bounds, and says so at the part of a list", () => {
    for (const [json, typed] of [
      [{ kind: "number", min: 1, max: 5 }, "6"],
      [{ kind: "number", min: 1, max: 5 }, "x"],
      [{ kind: "percent", max: 5_000 }, "50.01"],
      [
        { kind: "duration", max: 60 },
        { number: "2", unit: "min" },
      ],
      [{ kind: "time" }, "2026-02-31T00:00"],
      [{ kind: "text", min: 1, required: true }, "  "],
      [{ kind: "tags", min: 1, required: true }, []],
      [
        { kind: "secret", required: true },
        { typed: "", kept: "", removed: false },
      ],
    ] as const)
      assert.ok("fault" in read(json, typed), JSON.stringify(json));
    const list = read({ kind: "list", fields: { from: { kind: "number", max: 9 } } }, [
      { from: "1" },
      { from: "x" },
    ]);
    assert.ok("faults" in list);
    assert.deepEqual([...list.faults.keys()], ["/1/from"]);
  });

  it("leaves out what is empty and may be absent, and does not lose what was stored", () => {
    assert.deepEqual(read({ kind: "text", min: 1 }, ""), { value: undefined });
    assert.deepEqual(read({ kind: "number" }, ""), { value: undefined });
    assert.deepEqual(read({ kind: "number", nullable: true }, "", 5), { value: null });
    assert.ok("fault" in read({ kind: "text", min: 1 }, "", "Family"));
  });

  it("keeps a secret without a new value, replaces it, and removes it", () => {
    const kind = kindOf({ kind: "secret" });
    const typed = kind.toTyped("ab…yz", at) as Form;
    assert.deepEqual(kind.read(typed, at), { value: undefined });
    assert.deepEqual(kind.read({ ...typed, typed: "new" }, at), { value: "new" });
    assert.deepEqual(kind.read({ ...typed, removed: true }, at), { value: "" });
    const pairs = kindOf({ kind: "pairs", secret: true });
    assert.deepEqual(pairs.read(pairs.toTyped({ Authorization: "Be…" }, at), at), {
      value: { Authorization: null },
    });
  });

  it("proposes an ID from a name until one is typed", () => {
    const kind = proposedKind({ from: "title", propose: (title) => title.toLowerCase() })({
      kind: "text",
      min: 1,
    });
    const form = { title: "Family" };
    assert.deepEqual(kind.read(kind.blank, { ...at, form }), { value: "family" });
    assert.deepEqual(kind.read({ typed: "us", own: true }, { ...at, form }), { value: "us" });
  });
});

describe("a form that a service declares", () => {
  const fields: FieldsJson = {
    type: { kind: "choice", choices: ["period", "cron"], initial: "period" },
    every: { kind: "duration", min: 20, initial: 3_600, when: { name: "type", among: ["period"] } },
    expression: {
      kind: "text",
      min: 1,
      required: true,
      label: { en: "Expression" },
      missing: { en: "Say when" },
      when: { name: "type", among: ["cron"] },
    },
  };
  const form = makeForm({ schema: fields, words: "x", kinds: everyKind() });

  it("asks only for what belongs to what was chosen, and says what is missing in the service's words", () => {
    const blank = toBlank(form);
    assert.deepEqual(readForm(form, blank, { context: undefined }), {
      ok: true,
      fields: { type: "period", every: 3_600 },
    });
    const cron = readForm(form, { ...blank, type: "cron" }, { context: undefined });
    assert.ok(!cron.ok);
    assert.deepEqual([...cron.faults], [["/expression", { en: "Say when" }]]);
  });

  it("shows what is stored", () => {
    const typed = toTyped(form, { type: "cron", expression: "15 3 * * *" }, undefined);
    assert.deepEqual([typed["type"], typed["expression"]], ["cron", "15 3 * * *"]);
  });

  it("puts fields that no panel names at the end, leaves out what it need not ask, and keeps own checks", () => {
    const own = makeForm({
      schema: fields,
      words: "x",
      kinds: everyKind(),
      fields: { expression: false },
      panels: [{ title: "admin.column.state", fields: ["type"] }],
      check: ({ every }) => new Map(every === 60 ? [["/every", "admin.fault.number"]] : []),
    });
    assert.deepEqual(
      own.panels.map(({ rows }) => rows),
      [[["type"], ["every"]]],
    );
    const typed = { ...toBlank(own), every: { number: "1", unit: "min" } };
    assert.ok(!readForm(own, typed, { context: undefined }).ok);
  });
});
