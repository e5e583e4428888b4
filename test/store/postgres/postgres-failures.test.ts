/** What an error of the server means: which are "not now", and what they say. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import pg from "pg";
import { isUnavailable, kindOfFailure, toUnavailable } from "../../../src/store/postgres/failures.ts";

function toError(code: string, message: string): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, "error");
  error.code = code;
  return error;
}

describe("errors of PostgreSQL", () => {
  it("a server that cannot use its files is not available, and says why", () => {
    for (const [code, message] of [
      ["58030", 'could not open file "base/16384/16592_fsm": Input/output error'],
      ["53100", 'could not extend file "base/16384/17490": No space left on device'],
    ] as const) {
      const error = toError(code, message);
      assert.equal(kindOfFailure(error), "disk");
      assert.ok(isUnavailable(error));
      const { code: told, message: text } = toUnavailable(error);
      assert.equal(told, "store_unavailable");
      assert.equal(text, `PostgreSQL cannot use its disk: ${message}`);
    }
  });

  it("a wrong statement is no matter of time", () => {
    assert.equal(isUnavailable(toError("42601", "syntax error")), false);
  });
});
