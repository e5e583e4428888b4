import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { emailSchema, profileInputSchema } from "../../../src/auth/accounts/schema.ts";
import { describeSchema } from "../../../src/kit/fields/describe.ts";
import {
  always,
  changeShape,
  filled,
  initialsOf,
  maybe,
  maybeTime,
  recordShape,
  viewNames,
  withChange,
} from "../../../src/kit/fields/field-table.ts";
import { fieldHints } from "../../../src/kit/text/field-hints.ts";
import { isoTimeMs } from "../../../src/kit/text/iso-time.ts";
import { line, trimmedLine } from "../../../src/kit/text/schemas.ts";

const amount = z.number().int().min(0).max(1_000);
fieldHints.add(amount, { kind: "money" });

describe("describeSchema", () => {
  it("says kind, bounds, choices and default, through everything that wraps a schema", () => {
    const schema = z.strictObject({
      title: trimmedLine(60),
      note: line(300).optional(),
      state: z.enum(["on", "off"]).default("off"),
      count: z.number().int().min(1).max(9).nullable().optional(),
      price: amount.nullable().optional(),
      from: isoTimeMs.nullable().optional(),
      enabled: z.boolean(),
      days: z.array(z.enum(["mo", "tu"])).min(1),
      tags: z.array(z.string()).max(16).optional(),
      steps: z.array(z.object({ from: amount })).max(5),
      headers: z.record(z.string(), z.string()),
      token: z.union([z.string().min(3).max(9), z.literal("")]).optional(),
    });
    assert.deepEqual(describeSchema(schema), {
      title: { kind: "text", min: 1, max: 60, required: true },
      note: { kind: "text", max: 300 },
      state: { kind: "choice", choices: ["on", "off"], initial: "off" },
      count: { kind: "number", min: 1, max: 9, nullable: true },
      price: { kind: "money", min: 0, max: 1_000, nullable: true },
      from: { kind: "time", nullable: true },
      enabled: { kind: "switch", required: true },
      days: { kind: "choices", choices: ["mo", "tu"], min: 1, required: true },
      tags: { kind: "tags", max: 16 },
      steps: {
        kind: "list",
        max: 5,
        required: true,
        fields: { from: { kind: "money", min: 0, max: 1_000, required: true } },
      },
      headers: { kind: "pairs", required: true },
      token: { kind: "text", min: 3, max: 9 },
    });
  });

  it("says which keys phones show, where the schema is refined or may be empty", () => {
    const web = line(300).pipe(z.url()).register(fieldHints, { keyboard: "url" });
    const schema = z.strictObject({
      site: web.optional(),
      home: web
        .refine((url) => url.startsWith("https:"))
        .or(z.literal(""))
        .default(""),
      email: emailSchema.optional(),
      website: profileInputSchema.shape.website,
    });
    const keyboards = Object.entries(describeSchema(schema)).map(([name, { keyboard }]) => [name, keyboard]);
    assert.deepEqual(Object.fromEntries(keyboards), {
      site: "url",
      home: "url",
      email: "email",
      website: "url",
    });
  });
});

describe("a field table", () => {
  const table = {
    code: always(line(60), { change: trimmedLine(60) }),
    note: filled(line(300), ""),
    cap: maybe(amount),
    endsAt: maybeTime(),
  };
  const record = z.object({ id: z.string(), ...recordShape(table) });
  const change = z.strictObject(changeShape(table));

  it("gives the schemas of records and changes", () => {
    const stored = { id: "x", code: "A", note: "", endsAt: 1_000 };
    assert.deepEqual(record.parse(stored), stored);
    assert.ok(!record.safeParse({ id: "x", code: "A", note: "", endsAt: null }).success);
    assert.deepEqual(change.parse({ code: " B ", endsAt: "1970-01-01T00:00:02Z", cap: null }), {
      code: "B",
      endsAt: 2_000,
      cap: null,
    });
    assert.ok(!change.safeParse({ code: " " }).success);
  });

  it("knows what new records begin with, and what answers show as moments", () => {
    assert.deepEqual(initialsOf(table), { note: "" });
    assert.deepEqual(viewNames(table), { fields: ["code", "note", "cap"], times: ["endsAt"] });
  });

  it("takes away what a change says is null, and leaves what it does not name", () => {
    const before = { code: "A", cap: 5, endsAt: 1_000 };
    assert.deepEqual(withChange(before, { cap: null, code: "B", endsAt: undefined }), {
      code: "B",
      cap: undefined,
      endsAt: 1_000,
    });
  });
});
