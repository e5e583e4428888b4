/** What errors say, with what caused them where they say nothing themselves. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLog } from "../../src/kit/observe/log.ts";
import { causesOf, textOf } from "../../src/kit/thrown.ts";

const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:8082"), { code: "ECONNREFUSED" });

describe("what was thrown", () => {
  it("gives the causes of a failed fetch, one after another, and of each address of a name", () => {
    assert.equal(
      textOf(new TypeError("fetch failed", { cause: refused })),
      "fetch failed: connect ECONNREFUSED 127.0.0.1:8082",
    );
    const both = new AggregateError([refused, new Error("connect ECONNREFUSED ::1:8082")]);
    assert.equal(
      textOf(new TypeError("fetch failed", { cause: both })),
      "fetch failed: connect ECONNREFUSED 127.0.0.1:8082; connect ECONNREFUSED ::1:8082",
    );
    assert.equal(textOf(new Error("It says enough", { cause: refused })), "It says enough");
    assert.equal(textOf("a text"), "a text");
  });

  it("follows no circle of causes for ever", () => {
    const error = new Error("a");
    error.cause = error;
    assert.equal([...causesOf(error)].length, 8);
  });

  it("is logged with the whole chain of causes, and their codes", () => {
    const lines: string[] = [];
    const log = createLog({ level: "warn", write: (line) => void lines.push(line) });
    const outer = new Error("The auth center is away", {
      cause: new TypeError("fetch failed", { cause: refused }),
    });
    log.warn("A health check failed", { error: outer });
    const { error } = JSON.parse(lines[0] ?? "");
    assert.deepEqual(error.causes, [
      { name: "TypeError", message: "fetch failed: connect ECONNREFUSED 127.0.0.1:8082" },
      { name: "Error", message: "connect ECONNREFUSED 127.0.0.1:8082", code: "ECONNREFUSED" },
    ]);
    log.warn("Another", { error: refused });
    assert.equal("causes" in JSON.parse(lines[1] ?? "").error, false);
  });
});
