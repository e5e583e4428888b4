/** The documentation as a site: every link and anchor leads somewhere, and no page needs another host or an inline script. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { after, before, describe, it } from "node:test";
import MiniSearch from "minisearch";
import { pickResults, searchOptions } from "../../src/web/documentation/search-options.ts";
import { isDeno } from "../support/own-runtime.ts";
import { projectFolder, runProcess } from "../support/process.ts";

let folder = "";
/** Path → text of every page. */
const pages = new Map<string, string>();
let files: ReadonlySet<string> = new Set();

before(async () => {
  if (isDeno) return;
  folder = await mkdtemp(join(tmpdir(), "trivet-docs-"));
  const { code, output } = await runProcess({
    command: "node",
    args: ["--import", "tsx", "scripts/docs.ts", "--to", folder],
    cwd: projectFolder,
    timeoutMs: 60_000,
  });
  assert.equal(code, 0, output);
  files = new Set(await readdir(folder, { recursive: true }));
  for (const path of files)
    if (path.endsWith(".html")) pages.set(path, await readFile(join(folder, path), "utf8"));
});
after(() => rm(folder, { recursive: true, force: true }));

const unescape = (text: string): string =>
  text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");

/** Addresses in attributes, without those of other sites. */
function listAddresses(html: string): string[] {
  return Array.from(html.matchAll(/ (?:href|src)="([^"]*)"/gu), ([, address = ""]) =>
    unescape(address),
  ).filter((address) => !/^(?:https?|mailto):/u.test(address));
}

const listIds = (html: string): string[] =>
  Array.from(html.matchAll(/ id="([^"]*)"/gu), ([, id = ""]) => unescape(id));

describe("the documentation as a site", { skip: isDeno && "it is built by Node" }, () => {
  it("has links that lead to files and headings of the site, below any path", () => {
    assert.ok(pages.size > 200);
    const faults: string[] = [];
    for (const [page, html] of pages) {
      for (const address of listAddresses(html)) {
        const [path = "", anchor = ""] = address.split("#", 2);
        if (address.startsWith("/")) faults.push(`${page}: ${address} is not relative`);
        const target = path === "" ? page : posix.join(posix.dirname(page), decodeURI(path));
        if (!files.has(target)) faults.push(`${page}: ${address} leads nowhere`);
        else if (anchor !== "" && !listIds(pages.get(target) ?? "").includes(decodeURIComponent(anchor)))
          faults.push(`${page}: there is no #${anchor} in ${target}`);
      }
      const ids = listIds(html);
      if (new Set(ids).size !== ids.length) faults.push(`${page}: an ID is there twice`);
    }
    assert.deepEqual(faults, []);
  });

  it("loads nothing of other hosts and has no inline script or style", () => {
    for (const [page, html] of pages) {
      assert.doesNotMatch(html, /<(?:script|img|iframe|source)[^>]* src="(?:https?:)?\/\//u, page);
      assert.doesNotMatch(html, /<link[^>]* href="(?:https?:)?\/\//u, page);
      assert.doesNotMatch(html, /<script(?![^>]* src=)|<style| style="| on\w+="/u, page);
    }
  });

  it("has every page of docs in the navigation, ordered by task", async () => {
    const home = pages.get("index.html") ?? "";
    const menu = home.slice(home.indexOf('id="menu"'));
    const linked = new Set(listAddresses(menu));
    const sources = (await readdir(join(projectFolder, "docs"))).filter((name) => name.endsWith(".md"));
    for (const name of sources)
      if (name !== "README.md")
        assert.ok(linked.has(name.replace(/md$/u, "html")), `${name} is not in the menu`);
    const tasks = Array.from(menu.matchAll(/<h2>([^<]+)<\/h2>/gu), ([, task]) => task);
    assert.deepEqual(tasks, ["Try", "Install", "Secure", "Connect", "Operate", "Develop"]);
  });

  it("has an index of its words with an entry for each heading", async () => {
    const index = await readFile(join(folder, "search-index.js"), "utf8");
    for (const id of ["install.html", "checks.html#", "reference/metrics.html"])
      assert.ok(index.includes(`"${id}`), id);
    for (const [, id = ""] of index.matchAll(/"\d+":"([^"]+\.html[^"]*)"/gu)) {
      const [path = "", anchor = ""] = id.split("#", 2);
      assert.ok(pages.has(path), id);
      if (anchor !== "") assert.ok(listIds(pages.get(path) ?? "").includes(anchor), id);
    }
  });

  it("finds the guide before the decisions and notes that tell of it, and a page twice at most", async () => {
    const text = await readFile(join(folder, "search-index.js"), "utf8");
    const index = MiniSearch.loadJSON(text.replace("globalThis.searchIndex=", ""), searchOptions);
    const find = (query: string): string[] =>
      pickResults(index.search(query), 12).map(({ id }) => String(id));
    const answers = {
      "sealing key": "backup.html",
      "age recipient": "backup.html",
      "reset password": "accounts.html",
      "two-factor": "accounts.html",
      "heartbeat cron": "heartbeats.html",
      "webhook signature": "webhooks.html",
      "status page": "status-page.html",
    };
    for (const [query, page] of Object.entries(answers)) {
      const [first = "", ...rest] = find(query).map((id) => id.split("#", 1)[0] ?? "");
      assert.equal(first, page, query);
      assert.ok(rest.filter((other) => other === page).length < 2, query);
    }
    assert.ok(find("decision").length > 3);
  });
});
