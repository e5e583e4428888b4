/** axe-core in a page: what it finds wrong for people with disabilities. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";

/** One rule that is broken. */
interface Finding {
  readonly rule: string;
  readonly impact: string;
  /** What is wrong, and where first. */
  readonly text: string;
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
  }[];
}

const SHOWN_NODES = 3;
let source: Promise<string> | undefined;

function readSource(): Promise<string> {
  source ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  return source;
}

/** Impacts that fail a test. */
function isSerious({ impact }: Finding): boolean {
  return impact === "serious" || impact === "critical";
}

const bringing = new WeakSet<Page>();

/** Brings axe into the page: half a megabyte, which later documents of it get without sending it again. */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate<boolean>("typeof axe === 'object'")) return;
  const content = await readSource();
  // The debugger's protocol may run what the page's policy would refuse.
  await page.evaluate(content);
  if (bringing.has(page)) return;
  bringing.add(page);
  await page.addInitScript({ content });
}

/** Lets axe look at the page as it is now, with all of its rules, or with those named. */
async function findBarriers(page: Page, rules: readonly string[] | undefined): Promise<Finding[]> {
  await bringAxe(page);
  // It is not in the page's frames: without this it would wait for answers from them.
  const options = {
    resultTypes: ["violations"],
    iframes: false,
    ...(rules === undefined ? {} : { runOnly: rules }),
  };
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return results.violations.map(({ id, impact, help, nodes }) => {
    const places = nodes
      .slice(0, SHOWN_NODES)
      .map(
        ({ target, failureSummary = "" }) =>
          `${target.join(" ")} (${failureSummary.replaceAll(/\s+/gu, " ")})`,
      );
    return { rule: id, impact: impact ?? "none", text: `${help}: ${nodes.length} × ${places.join("; ")}` };
  });
}

/** Fails on serious or critical violations; reports the others in the test's diagnostics. */
export async function assertNoBarriers(
  page: Page,
  {
    test,
    what,
    rules,
  }: {
    readonly test: Pick<TestContext, "diagnostic">;
    readonly what: string;
    readonly rules?: readonly string[];
  },
): Promise<void> {
  const findings = await findBarriers(page, rules);
  for (const { rule, impact, text } of findings.filter((finding) => !isSerious(finding)))
    test.diagnostic(`${what}: ${impact} ${rule}: ${text}`);
  const serious = findings.filter(isSerious).map(({ rule, text }) => `${what}: ${rule}: ${text}`);
  assert.deepEqual(serious, []);
}
