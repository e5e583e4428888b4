import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { toInvalidError } from "../../../src/kit/text/validation.ts";

function messageOf(schema: z.ZodType, value: unknown): string | undefined {
  return toInvalidError("json", schema.safeParse(value).error?.issues ?? []).errors[0]?.message;
}

describe("toInvalidError", () => {
  it("speaks to people in place of programmers", () => {
    assert.equal(messageOf(z.string().min(1), ""), "must not be empty");
    assert.equal(messageOf(z.string().min(3), "a"), "must have at least 3 characters");
    assert.equal(messageOf(z.string().max(1), "ab"), "must have at most 1 character");
    assert.equal(messageOf(z.array(z.string()).min(1), []), "must have at least 1 entry");
    assert.equal(messageOf(z.number().max(5), 6), "must be at most 5");
    assert.equal(messageOf(z.number(), "1"), "must be a number");
    assert.equal(messageOf(z.object({ a: z.string() }), {}), "is required");
  });

  it("keeps a schema's own words", () => {
    assert.equal(messageOf(z.string().min(3, "must be a name"), "a"), "must be a name");
  });
});
