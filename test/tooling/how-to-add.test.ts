/**
 * "How to add" of ARCHITECTURE.md in reverse: for an earlier addition, the files that contain it are those of its row,
 * and no others of its folder.
 */
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { before, describe, it } from "node:test";
import { serviceNames } from "../../src/kit/services.ts";
import { languages } from "../../src/kit/text/languages.ts";
import { projectFolder } from "../support/process.ts";

const read = (path: string): Promise<string> => readFile(join(projectFolder, path), "utf8");

interface Added {
  /** The row's first cell. */
  readonly row: string;
  /** A name that was added. */
  readonly example: RegExp;
  /** Where a person who adds one may have to look: below src. */
  readonly within: RegExp;
  /** Files that hold the example. */
  readonly files: readonly string[];
  /** Files that use what was added, and that an addition does not change. */
  readonly uses?: readonly string[];
}

const added: readonly Added[] = [
  {
    row: "OIDC claim",
    example: /\bupdated_at\b/u,
    within: /^auth\//u,
    files: ["auth/oidc/claim-table.ts"],
  },
  {
    row: "setting",
    example: /\bguestCheckout\b/u,
    within: /^(?:shop\/site|web\/shop)\//u,
    files: ["shop/site/schema.ts", "shop/site/routes.ts", "web/shop/site/groups.ts"],
  },
  {
    row: "setting",
    example: /\brequireTwoFactor\b/u,
    within: /^(?:auth\/settings|web\/auth)\//u,
    files: ["auth/settings/schema.ts", "web/auth/settings/groups.ts"],
    uses: ["auth/settings/settings-admin.ts"],
  },
  {
    row: "kind of check",
    example: /\btcpForm\b|"tcp"/u,
    within:
      /^(?:kit\/(?:probes|check-files)|monitor\/(?:checks|places|heartbeats)|agent\/checks|web\/monitor\/checks)\//u,
    files: ["kit/probes/kinds/kinds.ts", "kit/probes/kinds/tcp.ts"],
    // Another kind connects by TCP, other programs have such checks, and the monitor asks whether its own network works.
    uses: [
      "kit/probes/kinds/ping.ts",
      "monitor/checks/import/gatus.ts",
      "monitor/checks/import/kuma.ts",
      "monitor/checks/run/own-network.ts",
    ],
  },
  {
    row: "retention default",
    example: /\btenMinuteDays\b.*\.default\(/u,
    within: /^(?:monitor|web\/monitor)\//u,
    files: ["monitor/base/schema.ts"],
  },
  {
    row: "field of a customer",
    example: /\bopenOrders\b/u,
    within: /^(?:shop\/customers|web\/shop\/customers)\//u,
    files: [
      "shop/customers/book.ts",
      "shop/customers/fields.ts",
      "shop/customers/routes.ts",
      "web/shop/customers/customers-page.tsx",
      "web/shop/customers/customer-page.tsx",
    ],
    uses: ["shop/customers/erasure.ts"],
  },
];

describe("how to add", () => {
  let rows: ReadonlyMap<string, string>;
  let sources: ReadonlyMap<string, string>;
  before(async () => {
    const page = await read("ARCHITECTURE.md");
    const table = page.slice(page.indexOf("\n## How to add\n"));
    rows = new Map(
      Array.from(table.matchAll(/^\| ([^|]+) \| (.+) \|$/gmu), ([, what = "", files = ""]) => [what, files]),
    );
    const paths = (await readdir(join(projectFolder, "src"), { recursive: true }))
      .map((path) => path.split(sep).join("/"))
      .filter((path) => /\.tsx?$/u.test(path) && !path.startsWith("web/built/"));
    sources = new Map(
      await Promise.all(paths.map(async (path) => [path, await read(`src/${path}`)] as const)),
    );
  });

  for (const { row, example, within, files, uses = [] } of added)
    it(`a ${row} such as ${example.source.replaceAll(/\\b|\\|\.\*|default|\(/gu, "")} takes the files of its row`, () => {
      const text = rows.get(row) ?? "";
      const holding = [...sources].flatMap(([path, source]) =>
        within.test(path) && example.test(source) ? [path] : [],
      );
      assert.deepEqual(holding.toSorted(), [...files, ...uses].toSorted());
      assert.deepEqual(
        files.filter((path) => {
          // A file per kind is written as "<kind>.ts".
          const pattern = path.replace(/[\w-]+(?=\.ts$)/u, "<kind>");
          return !text.includes(`\`${path}\``) && !text.includes(`\`${pattern}\``);
        }),
        [],
        "not in the row",
      );
    });

  it("a language is a folder of texts and a line", async () => {
    const folders = await readdir(join(projectFolder, "src/texts"), { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    assert.deepEqual(
      languages.filter((language) => !names.includes(language)),
      [],
    );
    assert.match(rows.get("language") ?? "", /`kit\/text\/languages\.ts`/u);
  });

  it("a service is named in one list, which the tables of services follow", () => {
    const restated = [...sources].filter(
      ([path, source]) =>
        path !== "kit/services.ts" &&
        /^(?:service|kit|records|config|main)\b/u.test(path) &&
        new RegExp(
          `\\[\\s*${serviceNames.map(() => `"(?:${serviceNames.join("|")})"`).join(",\\s*")}`,
          "u",
        ).test(source),
    );
    assert.deepEqual(
      restated.map(([path]) => path),
      [],
    );
    assert.match(rows.get("service") ?? "", /`kit\/services\.ts`/u);
  });
});
