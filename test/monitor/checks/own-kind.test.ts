import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { before, describe, it } from "node:test";
import { promisify } from "node:util";
import { isDeno } from "../../support/own-runtime.ts";
import { CHECK_LEVEL } from "../../../src/kit/check-files/check-level.ts";
import { projectFolder } from "../../support/process.ts";

interface Printed {
  readonly [name: string]: unknown;
  readonly form: {
    readonly fields: { readonly target: { readonly fields: Readonly<Record<string, object>> } };
  };
}

describe("a kind of check in one file", { skip: isDeno ? "its program is for Node" : false }, () => {
  let printed: Printed;
  before(async () => {
    const program = ["--import", "tsx", "test/monitor/checks/own-kind-program.ts"];
    const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: projectFolder });
    printed = JSON.parse(stdout) as Printed;
  });

  it("has its secrets sealed, kept for the same recipient, and never shown", () => {
    const target = { kind: "sample", host: "cache.example.org", port: 6_379 };
    assert.deepEqual(printed["stored"], { ...target, password: "" });
    assert.equal(printed["isSealed"], true);
    assert.deepEqual(printed["view"], { ...target, password: true });
    assert.deepEqual(
      [printed["kept"], printed["removed"], printed["elsewhere"]],
      ["s3cret", "", "The check is incomplete"],
    );
    assert.deepEqual(printed["run"], { detail: 'asked with "s3cret"' });
  });

  it("runs on agents with its secrets from their environment", () => {
    const variable = "TRIVET_CHECK_000001_PASSWORD";
    assert.deepEqual(printed["variables"], [variable]);
    const target = { kind: "sample", host: "cache.example.org", password: { env: variable } };
    // Agents of before this kind reject a file that has it.
    const check = { id: "chk_sample000001", name: "Cache", intervalSeconds: 60, level: CHECK_LEVEL, target };
    const file = { v: 1, checks: [check] };
    assert.deepEqual(printed["file"], file);
    assert.deepEqual(printed["filled"], {
      target: { kind: "sample", host: "cache.example.org", port: 6_379, password: "s3cret" },
    });
  });

  it("has its form in the console, with what its schemas say", () => {
    assert.deepEqual(printed.form.fields.target.fields, {
      kind: { kind: "choice", choices: ["sample"] },
      host: { kind: "text", min: 1, max: 253, required: true },
      port: { kind: "number", min: 1, max: 65_535, initial: 6_379, required: true },
      password: { kind: "secret", folded: true },
    });
  });
});
