/** A language is added as ARCHITECTURE.md says; the pages of each service then say everything in it. */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { projectFolder } from "../support/process.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { PSEUDO, type PseudoProject, createPseudoProject, listForeign } from "../support/pseudo-language.ts";

const TOKEN = "adm_for-the-new-language";

/** What the sites are called, codes of currencies, ids of requests. */
const NAMES = /\bTrivet(?: shop)?\b|\bEUR\b|\b[\da-f]{16}-[\da-f]+\b/gu;

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** What a page shows, and says to readers of screens, a piece a line. */
function toVisible(page: string): string {
  const said = [...page.matchAll(/ (?:alt|aria-label|placeholder|title)="([^"]*)"/gu)].map(
    ([, words]) => words,
  );
  const body = page
    .replaceAll(/<(script|style|template|svg)\b.*?<\/\1>/gsu, "")
    // The names of languages are in those languages.
    .replaceAll(/<(\w+)\b[^>]* lang="[^"]*"[^>]*>[^<]*<\/\1>/gu, "")
    .replaceAll(/<\/?(?:a|b|em|span|strong|time|code|bdi|br)\b[^>]*>/gu, " ")
    .replaceAll(/<[^>]*>/gu, "\n");
  return [body, ...said]
    .join("\n")
    .replaceAll(/&(amp|lt|gt|quot|#39);/gu, (whole, name: string) => entities[name] ?? whole);
}

describe("a new language", () => {
  let project: PseudoProject;
  let programs: Programs;
  const urls = { auth: "", shop: "", monitor: "" };

  async function admin(
    service: keyof typeof urls,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<void> {
    const response = await fetch(urls[service] + path, {
      method,
      headers: { "x-admin-token": TOKEN, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${path}: ${response.status} ${await response.text()}`);
  }

  before(async () => {
    project = await createPseudoProject();
    programs = await createPrograms([], {
      runner: [process.execPath, "--import", "tsx"],
      entry: join(project.folder, "src/main.ts"),
    });
    const program = programs.run({
      LOG_LEVEL: "warn",
      ADMIN_TOKEN: TOKEN,
      SHOP_DEMO: "1",
      GATEWAY_PORT: "0",
      TSX_TSCONFIG_PATH: join(project.folder, "tsconfig.json"),
    });
    urls.monitor = `http://127.0.0.1:${(await programs.ports(program)).http}`;
    urls.auth = await programs.authUrl(program);
    urls.shop = await programs.shopUrl(program);
    await admin("shop", "POST", "/api/admin/products", {
      title: "⟦Mug⟧",
      slug: "mug",
      price: 1_900,
      status: "published",
      deliveryType: "manual",
    });
    await admin("shop", "PATCH", "/api/admin/site", { languages: ["en", PSEUDO] });
    await admin("monitor", "POST", "/api/admin/status-pages", {
      slug: "main",
      title: "⟦Status⟧",
      components: [{ name: "⟦Mail⟧", source: { type: "manual", status: "partial_outage" } }],
    });
  });
  after(async () => {
    await programs?.dispose();
    await project?.dispose();
  });

  it("is a line and a folder", async () => {
    assert.equal(await project.run("texts.ts", ["--check"]), "");
    const missing = await project.run("texts.ts", ["--missing", PSEUDO]);
    assert.equal(missing, `${PSEUDO} has every text\n`);
    const row = (await readFile(join(projectFolder, "ARCHITECTURE.md"), "utf8"))
      .split("\n")
      .find((line) => line.startsWith("| language |"));
    assert.match(
      row ?? "",
      /`npm run texts -- --new <language>`.*`kit\/text\/languages\.ts`.*`texts\/<language>\/`/u,
    );
  });

  it("is in no other file than those of texts", async () => {
    const entries = await readdir(join(projectFolder, "src"), { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((path) => !/src\/(?:texts|web\/built)\//u.test(path));
    const own = await Promise.all(
      paths.map(async (path) => (/\bzh: [`"[{(]/u.test(await readFile(path, "utf8")) ? [path] : [])),
    );
    // PayPal's language codes are in its adapter.
    const known = /kit\/text\/languages\.ts$|providers\/paypal\.ts$/u;
    assert.deepEqual(
      own.flat().filter((path) => !known.test(path)),
      [],
    );
  });

  for (const [service, paths] of Object.entries({
    shop: [
      "/",
      "/c",
      "/p/mug",
      "/cart",
      "/checkout",
      "/search?q=nothing",
      "/find-order",
      "/withdraw",
      "/nowhere",
    ],
    auth: ["/sign-in", "/sign-up", "/forgot", "/reset", "/restore", "/signed-out", "/people", "/nowhere"],
    monitor: ["/status", "/status/main/history", "/status/main/subscribe"],
  }))
    it(`is all that people read on pages of ${service}`, async () => {
      const foreign: string[] = [];
      for (const path of paths) {
        const url = urls[service as keyof typeof urls] + path;
        const response = await fetch(url, { headers: { "accept-language": PSEUDO, accept: "text/html" } });
        const page = await response.text();
        assert.ok(page.includes(`lang="${PSEUDO}"`), `${path}: ${response.status} ${page.slice(0, 200)}`);
        assert.ok(page.includes("⟦"), path);
        const visible = toVisible(page).replaceAll(NAMES, "");
        foreign.push(...listForeign(visible).map((words) => `${path}: ${words}`));
      }
      assert.deepEqual(foreign, []);
    });
});
