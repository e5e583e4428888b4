/** Renamed members of the API: both names in, the old one out, and a conflict that names both. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { AppError } from "../../../src/kit/errors.ts";
import { acceptRenamed, deprecated, pickRenamed } from "../../../src/kit/fields/renamed.ts";

const toOld = ({ seats }: { seats: number }): object => ({ chairs: seats });
const schema = acceptRenamed(
  z.strictObject({ name: z.string(), room: z.strictObject({ chairs: z.number() }).default({ chairs: 4 }) }),
  "room",
  { name: "hall", schema: z.strictObject({ seats: z.number().max(9) }), toOld },
);

describe("acceptRenamed", () => {
  it("returns the old member for either name, and its default without any", () => {
    const parse = (input: object): unknown => schema.parse({ name: "a", ...input });
    assert.deepEqual(parse({ hall: { seats: 2 } }), { name: "a", room: { chairs: 2 } });
    assert.deepEqual(parse({ room: { chairs: 3 } }), { name: "a", room: { chairs: 3 } });
    assert.deepEqual(parse({ room: { chairs: 3 }, hall: { seats: 3 } }), { name: "a", room: { chairs: 3 } });
    assert.deepEqual(parse({}), { name: "a", room: { chairs: 4 } });
  });

  it("names both for different values, and the given one for an invalid value", () => {
    const issuesOf = (input: object): unknown =>
      schema.safeParse({ name: "a", ...input }).error?.issues.map(({ path, message }) => [path, message]);
    assert.deepEqual(issuesOf({ room: { chairs: 3 }, hall: { seats: 2 } }), [
      [["hall"], 'must have the same value as "room", its deprecated name. Send only "hall"'],
    ]);
    assert.deepEqual(
      [issuesOf({ hall: { seats: 10 } }), issuesOf({ room: { chairs: "" } })].map(
        (all) => z.array(z.tuple([z.array(z.string()), z.string()])).parse(all)[0]?.[0],
      ),
      [
        ["hall", "seats"],
        ["room", "chairs"],
      ],
    );
    assert.match(String(issuesOf({ hal: {} })), /hal/u);
  });

  it("leaves out an optional member that is not given", () => {
    const optional = acceptRenamed(z.object({ room: z.number().optional() }), "room", {
      name: "hall",
      schema: z.object({ seats: z.number() }),
      toOld,
    });
    assert.deepEqual(optional.parse({}), {});
  });
});

describe("pickRenamed", () => {
  it("takes either name, and rejects different values", () => {
    const pick = (value?: string, before?: string): string | undefined =>
      pickRenamed(["hall", value], ["room", before]);
    assert.deepEqual([pick("a"), pick(undefined, "a"), pick("a", "a"), pick()], ["a", "a", "a", undefined]);
    assert.throws(
      () => pick("a", "b"),
      (error) =>
        error instanceof AppError &&
        error.code === "invalid" &&
        error.errors[0]?.pointer === "hall" &&
        /"room".*"hall"/u.test(error.errors[0].message),
    );
  });
});

describe("deprecated", () => {
  it("marks a schema for OpenAPI", () => {
    const { deprecated: isDeprecated, description } = deprecated(z.string(), "hall").meta() ?? {};
    assert.deepEqual([isDeprecated, description], [true, "Deprecated, use `hall`"]);
  });
});
