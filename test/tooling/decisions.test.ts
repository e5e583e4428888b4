/** docs/decisions: short, in one form, and every number that code or documents cite is in the index. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { projectFolder } from "../support/process.ts";

const MAX_WORDS = 300;

/** Its table is compared with the sources by test/tooling/node-imports.test.ts. */
const withTable = new Set(["029-node-imports.md"]);

/** Still too long. Only ever fewer. */
const long = new Set<string>([
  "004-dependencies.md",
  "032-audit-key.md",
  "033-what-a-folder-must-hold.md",
  "034-review-findings-declined.md",
  "035-agent-as-one-file.md",
  "036-pages-for-people.md",
  "037-who-sees-what.md",
  "038-more-from-the-machine.md",
  "039-one-port.md",
  "040-console-of-accounts.md",
  "041-forward-auth-for-browsers.md",
  "042-openid-connect-on-jose.md",
  "043-passkeys.md",
  "044-sign-in-by-another-provider.md",
  "045-own-services-at-the-auth-center.md",
  "046-payment-services.md",
  "047-stripe-and-paypal.md",
  "048-wallets-and-coins.md",
  "049-files-as-goods.md",
  "050-vat-and-invoices.md",
  "051-selling-by-eu-law.md",
  "052-events-search-and-customers.md",
  "054-mails-as-drafts.md",
  "056-storefront-pages-kept.md",
  "057-buying-without-an-account.md",
  "058-probes-and-imports.md",
  "059-checks-and-places.md",
  "060-alerts-of-checks.md",
  "061-heartbeats.md",
  "062-checks-from-agents.md",
  "063-status-pages-from-memory.md",
  "064-followers-of-status-pages.md",
  "065-npm-start-from-one-bundle.md",
  "066-owners-in-the-store.md",
  "067-easy-to-get.md",
  "068-silent-postgresql.md",
  "069-test-files-share-processes.md",
  "070-catalogue-made-when-asked.md",
  "071-less-work-in-auth-and-monitor.md",
  "072-records-on-disk.md",
  "074-durable-appends.md",
  "075-programs-in-parts.md",
  "078-members-before-the-copy.md",
  "081-fonts-of-documents.md",
  "082-what-rots-is-told.md",
  "085-tokens-name-their-resources.md",
  "087-forward-auth-names-the-application.md",
  "088-access-policy-and-step-up.md",
  "089-fresh-proof-at-shop-and-monitor.md",
  "094-resource-kit.md",
]);

const folder = join(projectFolder, "docs", "decisions");

async function readTexts(path: string, form: RegExp): Promise<[string, string][]> {
  const entries = await readdir(join(projectFolder, path), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && form.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !/node_modules|built|[/\\]peers[/\\]|[/\\]apps[/\\]/u.test(file));
  return Promise.all(
    files.map(async (file): Promise<[string, string]> => [file, await readFile(file, "utf8")]),
  );
}

describe("docs/decisions", () => {
  let names: string[] = [];
  let rows: { number: string; file: string | undefined }[] = [];
  before(async () => {
    names = (await readdir(folder)).filter((name) => /^\d{3}-/u.test(name) && !name.startsWith("000"));
    const index = await readFile(join(folder, "README.md"), "utf8");
    rows = [...index.matchAll(/^\| (\d{3}) \| (?:\[[^\]]+\]\((\d{3}-[\w-]+\.md)\) |[^|[]*)\|/gmu)].map(
      ([, number = "", file]) => ({ number, file }),
    );
  });

  it("has an index with each number once, and each file at its number", () => {
    assert.deepEqual(
      rows.map(({ number }) => Number(number)),
      rows.map((_, index) => index + 1),
    );
    assert.deepEqual(
      rows.flatMap(({ file }) => file ?? []),
      names.toSorted(),
    );
    for (const { number, file } of rows) assert.ok(file?.startsWith(number) ?? true, file);
  });

  it("says each choice in at most 300 words and in one form", async () => {
    for (const name of names) {
      const text = await readFile(join(folder, name), "utf8");
      const headings = [...text.matchAll(/^## (.+)$/gmu)].map(([, heading = ""]) => heading);
      for (const part of ["Context", "Choice", "What gets harder", "When to revisit"])
        assert.ok(headings.includes(part), `${name} lacks "${part}"`);
      const words = text.split(/\s+/u).filter((word) => word !== "").length;
      if (withTable.has(name)) continue;
      if (long.has(name)) assert.ok(words > MAX_WORDS, `${name} is short now: take it off the list here`);
      else assert.ok(words <= MAX_WORDS, `${name} has ${words} words`);
    }
  });

  it("is cited by numbers that it has", async () => {
    const known = new Set(rows.map(({ number }) => number));
    const texts = [
      ...(await readTexts("src", /\.(?:tsx?|css)$/u)),
      ...(await readTexts("scripts", /./u)),
      ...(await readTexts("test", /\.ts$/u)),
      ...(await readTexts("docs", /\.md$/u)),
    ];
    for (const name of ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"])
      texts.push([name, await readFile(join(projectFolder, name), "utf8")]);
    const lost: string[] = [];
    let cited = 0;
    for (const [file, text] of texts)
      for (const [, number = "", path] of text.matchAll(/\bdecisions?(?: |\/)(0\d\d)(-[\w-]+\.md)?/giu)) {
        cited += 1;
        if (!known.has(number)) lost.push(`${file}: ${number}`);
        if (path !== undefined && !names.includes(`${number}${path}`)) lost.push(`${file}: ${number}${path}`);
      }
    assert.ok(cited > 50, String(cited));
    assert.deepEqual(lost, []);
  });
});
