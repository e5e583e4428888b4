/** The proxy lines that the console shows are those of the documentation, which the tests run. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { toCaddy, toNginx } from "../../src/web/auth/applications/proxy-lines.ts";

const ORIGINS = ["https://notes.example.org"];

function toPlain(lines: string): string[] {
  return lines
    .split("\n")
    .map((line) => line.trim().replaceAll(/\s+/gu, " "))
    .filter((line) => line !== "" && !line.startsWith("#"));
}

describe("the proxy lines of the console", () => {
  for (const [language, made] of [
    ["nginx", toNginx(ORIGINS)],
    ["caddyfile", toCaddy(ORIGINS)],
  ] as const)
    it(`are those of docs/forward-auth.md: ${language}`, async () => {
      const docs = await readFile(new URL("../../docs/forward-auth.md", import.meta.url), "utf8");
      const block = docs.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
      assert.ok(block.length > 500);
      assert.deepEqual(toPlain(made), toPlain(block));
    });

  it("name every site with its scheme and port", () => {
    const origins = ["http://10.0.0.5:8080", "https://a.example.org", "https://b.example.org:8443"];
    const nginx = toNginx(origins);
    for (const line of ["listen 8080;", "listen 443 ssl;", "listen 8443 ssl;"])
      assert.ok(nginx.includes(line));
    for (const name of ["10.0.0.5", "a.example.org", "b.example.org"])
      assert.ok(nginx.includes(`server_name ${name};`));
    const caddy = toCaddy(origins);
    const sites = [...caddy.matchAll(/^(\S+) \{$/gmu)].map(([, site]) => site);
    assert.deepEqual(sites, ["http://10.0.0.5:8080", "a.example.org", "https://b.example.org:8443"]);
    for (const host of ["10.0.0.5:8080", "a.example.org", "b.example.org:8443"])
      for (const made of [nginx, caddy]) assert.ok(made.includes(` ${host}`), host);
    for (const made of [nginx, caddy]) assert.doesNotMatch(made, /\$host|\$http_host|\{host(?:port)?\}/u);
  });
});
