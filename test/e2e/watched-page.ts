/** A page that notes everything that goes wrong in it. */
import assert from "node:assert/strict";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

export interface WatchedPage {
  readonly page: Page;
  /** Lets pass what matches, from now on: what a test provokes itself. */
  allow(pattern: RegExp): void;
  /** What went wrong so far. */
  readonly problems: readonly string[];
}

export interface PageOptions extends BrowserContextOptions {
  /** Prefix of all paths that the page goes to. */
  readonly baseURL: string;
}

/** Generous: it only passes when something is wrong. */
const LIMIT_MS = 60_000;
/** What the browser calls a request that the page itself gave up. */
const GIVEN_UP = "net::ERR_ABORTED";

/**
 * A trace takes a sixth of the processor time. The run of all files, which is the one with bundles of programs, leaves it
 * out; a file that fails there runs again by itself, with a trace.
 */
const isTraced = (process.env["TEST_PROGRAMS"] ?? "") === "";

/** As text, because the types of a page's own globals belong to the page. */
const tellViolations = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("Policy violated: " + event.violatedDirective + " by " + event.blockedURI));`;

/** Chromium reports the script above as blocked in a preview, where no script may run. */
const NO_SCRIPT = /^Blocked script execution in 'about:(?:blank|srcdoc)'/u;

function watch(page: Page, note: (problem: string) => void): void {
  page.on("console", (message) => {
    const type = message.type();
    if ((type === "error" || type === "warning") && !NO_SCRIPT.test(message.text()))
      note(`console ${type}: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => note(`page error: ${error.stack ?? error.message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    if (reason !== GIVEN_UP) note(`request failed: ${request.method()} ${request.url()} ${reason}`);
  });
  page.on("crash", () => note("the page crashed"));
}

let textNames: Promise<ReadonlySet<string>> | undefined;

async function readTextNames(): Promise<ReadonlySet<string>> {
  const files = ["web", "web-auth", "web-shop"].map((room) => `../../src/texts/en/${room}.json`);
  const texts = await Promise.all(files.map((path) => readFile(new URL(path, import.meta.url), "utf8")));
  return new Set(texts.flatMap((json) => Object.keys(JSON.parse(json))));
}

/** Names of texts that the page shows in place of the texts. */
async function findBareNames(page: Page): Promise<string[]> {
  textNames ??= readTextNames();
  const names = await textNames;
  const shown = page.isClosed() ? "" : await page.evaluate<string>("document.body?.innerText ?? ''");
  return shown.split(/\s+/u).filter((word) => names.has(word));
}

async function keepEvidence(context: BrowserContext, page: Page, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-e2e-"));
  const base = join(folder, name.replaceAll(/\W+/gu, "-").slice(0, 60));
  await page.screenshot({ path: `${base}.png`, fullPage: true }).catch(() => undefined);
  if (!isTraced) return `${base}.png`;
  await context.tracing.stop({ path: `${base}.zip` }).catch(() => undefined);
  return `${base}.png and .zip (npx playwright-core show-trace)`;
}

/**
 * Runs `work` in a fresh context of the browser, then checks that nothing went wrong in the page. After a
 * failure the error says where a screenshot lies, and a trace where one was taken.
 */
export async function withPage(
  browser: Browser,
  { name, ...options }: PageOptions & { readonly name: string },
  work: (watched: WatchedPage) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: { width: 1_280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  const allowed: RegExp[] = [];
  const problems: string[] = [];
  try {
    context.setDefaultTimeout(LIMIT_MS);
    if (isTraced) await context.tracing.start({ snapshots: true });
    await context.addInitScript({ content: tellViolations });
    const page = await context.newPage();
    watch(page, (problem) => {
      if (!allowed.some((pattern) => pattern.test(problem))) problems.push(problem);
    });
    try {
      await work({ page, problems, allow: (pattern) => void allowed.push(pattern) });
      assert.deepEqual(problems, [], "Something went wrong in the page");
      assert.deepEqual(await findBareNames(page), [], "The page shows names of texts");
    } catch (error) {
      const place = await keepEvidence(context, page, name);
      const text = error instanceof Error ? error.message : String(error);
      const also = problems.length === 0 ? "" : `\nIn the page: ${problems.join("\n")}`;
      throw new Error(`${text}${also}\nSee ${place}`, { cause: error });
    }
  } finally {
    await context.close();
  }
}
