/** A guide of the documentation, whose steps a test follows word by word. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "../../support/process.ts";

/** A name of the console (bold), something to type or to see (code), or an address to open. */
type Kind = "name" | "code" | "path";

export interface Step {
  /** The next bold name: a button, a link, a field or a sentence of the page. */
  name(): string;
  /** The next text in code. */
  code(): string;
  /** The path of the next address. */
  path(): string;
  /** @throws AssertionError when the step names more than was followed */
  done(): void;
}

export interface Guide {
  /** The next step. */
  step(): Step;
  /** @throws AssertionError when there are more steps */
  done(): void;
}

const MARKS = /\*\*(?<name>[^*]+)\*\*|`(?<code>[^`]+)`|http:\/\/127\.0\.0\.1:80\d\d(?<path>\/[^\s,.]*)/gu;

function readStep(text: string, where: string): Step {
  const marks = Array.from(text.matchAll(MARKS), ({ groups = {} }): { kind: Kind; value: string } =>
    groups["name"] === undefined
      ? groups["code"] === undefined
        ? { kind: "path", value: groups["path"] ?? "" }
        : { kind: "code", value: groups["code"] }
      : { kind: "name", value: groups["name"] },
  );
  const take = (kind: Kind): string => {
    const mark = marks.shift();
    assert.equal(mark?.kind, kind, `${where} goes on with ${JSON.stringify(mark)}`);
    return mark?.value ?? "";
  };
  return {
    name: () => take("name"),
    code: () => take("code"),
    path: () => take("path"),
    done: () => assert.deepEqual(marks, [], `${where} names more than the test follows`),
  };
}

/** Reads the numbered steps below "## Steps" of a page in docs. */
export async function readGuide(page: string): Promise<Guide> {
  const text = await readFile(join(projectFolder, "docs", page), "utf8");
  const section = text.split("\n## Steps\n")[1]?.split("\n## ")[0] ?? assert.fail(`${page} has no steps`);
  const steps = Array.from(section.matchAll(/^\d+\. (.+)$/gmu), ([, step = ""]) => step);
  let at = 0;
  return {
    step: () => {
      at += 1;
      return readStep(
        steps[at - 1] ?? assert.fail(`${page} has ${steps.length} steps`),
        `Step ${at} of ${page}`,
      );
    },
    done: () => assert.equal(at, steps.length, `${page} has ${steps.length} steps, ${at} were followed`),
  };
}
