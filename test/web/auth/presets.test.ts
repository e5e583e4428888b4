/** The presets of the console are those of docs/applications.md, and the API takes what they fill in. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { clientFieldsSchema } from "../../../src/auth/applications/schema.ts";
import {
  type Center,
  type PresetName,
  SOURCE,
  isSource,
  presets,
  toAddress,
  toClientFields,
} from "../../../src/web/auth/presets/presets.ts";

const issuer = "https://auth.example.org";
const center: Center = {
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  userinfo_endpoint: `${issuer}/oauth/userinfo`,
};
const names = Object.keys(presets) as PresetName[];

describe("the presets of applications", () => {
  for (const name of names) {
    const preset = presets[name];
    const answers = { address: toAddress(name, preset.example), source: SOURCE };

    it(`are taken by the API: ${preset.name}`, () => {
      const fields = toClientFields(name, answers);
      const parsed = clientFieldsSchema.parse({ name: preset.name, ...fields });
      assert.ok(parsed.redirectUris.length > 0);
      assert.equal(parsed.requirePkce, name !== "gitea");
      assert.equal(parsed.claimsInIdToken, name === "nextcloud");
    });

    it(`are those of docs/applications.md: ${preset.name}`, async () => {
      const docs = await readFile(new URL("../../../docs/applications.md", import.meta.url), "utf8");
      const section = docs.split(`## ${preset.name}\n`)[1]?.split("\n## ")[0] ?? "";
      const registered = { ...answers, id: preset.id || "app", secret: "sec_…" };
      const block = preset.toBlock(registered, center);
      const lines =
        typeof block === "string"
          ? `\n${block}\n\`\`\``
          : block.map(([label, value]) => `| ${label} | \`${value}\` |`).join("\n");
      assert.ok(section.includes(lines), lines);
      const { redirectUris = [] } = toClientFields(name, answers);
      if (name !== "generic") for (const uri of redirectUris) assert.ok(section.includes(`\`${uri}\``), uri);
      const written = section.split("\n").filter((line) => line !== "").length;
      assert.ok(written <= 24, `${written} lines`);
    });
  }

  it("take an address as people copy it", () => {
    assert.equal(toAddress("grafana", " https://Grafana.example.org/ "), "https://grafana.example.org");
    assert.equal(toAddress("grafana", "https://example.org/grafana/"), "https://example.org/grafana");
    assert.equal(toAddress("proxmox", "https://pve.example.org:8006/"), "https://pve.example.org:8006");
    assert.equal(toAddress("generic", "https://a.example.org/callback/"), "https://a.example.org/callback/");
    assert.equal(toAddress("grafana", "grafana"), "grafana");
    assert.deepEqual(["trivet", "a b", "a'b", "", "x/y"].map(isSource), [true, false, false, false, false]);
  });
});
