/** The proxy lines that the console shows are those of the documentation, which the tests run. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { toCaddy, toNginx, toTraefik } from "../../src/web/auth/applications/proxy-lines.ts";

const traefikSchema = z.object({
  http: z.object({
    middlewares: z.record(
      z.string(),
      z.object({
        headers: z.object({ customRequestHeaders: z.record(z.string(), z.string()) }).optional(),
      }),
    ),
    routers: z.record(
      z.string(),
      z.object({ rule: z.string(), entryPoints: z.array(z.string()), middlewares: z.array(z.string()) }),
    ),
  }),
});
const NOTES = { id: "notes", protectedOrigins: ["https://notes.example.org"] };

function toPlain(lines: string): string[] {
  return lines
    .split("\n")
    .map((line) => line.trim().replaceAll(/\s+/gu, " "))
    .filter((line) => line !== "" && !line.startsWith("#"));
}

describe("the proxy lines of the console", () => {
  for (const [language, made] of [
    ["nginx", toNginx(NOTES)],
    ["caddyfile", toCaddy(NOTES)],
    ["yaml", toTraefik(NOTES)],
  ] as const)
    it(`are those of docs/forward-auth-proxies.md: ${language}`, async () => {
      const docs = await readFile(new URL("../../docs/forward-auth-proxies.md", import.meta.url), "utf8");
      const block = docs.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
      assert.ok(block.length > 500);
      assert.deepEqual(toPlain(made), toPlain(block));
    });

  it("name the application, and every site with its scheme and port", () => {
    const protectedOrigins = ["http://10.0.0.5:8080", "https://a.example.org", "https://b.example.org:8443"];
    const nginx = toNginx({ id: "Wiki.2", protectedOrigins });
    for (const line of ["listen 8080;", "listen 443 ssl;", "listen 8443 ssl;"])
      assert.ok(nginx.includes(line));
    for (const name of ["10.0.0.5", "a.example.org", "b.example.org"])
      assert.ok(nginx.includes(`server_name ${name};`));
    const caddy = toCaddy({ id: "Wiki.2", protectedOrigins });
    const sites = [...caddy.matchAll(/^(\S+) \{$/gmu)].map(([, site]) => site);
    assert.deepEqual(sites, ["http://10.0.0.5:8080", "a.example.org", "https://b.example.org:8443"]);
    for (const host of ["10.0.0.5:8080", "a.example.org", "b.example.org:8443"])
      for (const made of [nginx, caddy]) assert.ok(made.includes(` ${host}`), host);
    for (const made of [nginx, caddy])
      assert.equal(made.match(/\/api\/auth\/forward\/Wiki\.2[;?]/gu)?.length, 3);
    const traefik: unknown = parse(toTraefik({ id: "Wiki.2", protectedOrigins }));
    const { http } = traefikSchema.parse(traefik);
    assert.deepEqual(
      Object.entries(http.routers).map(([name, { rule, entryPoints, middlewares }]) => [
        name,
        rule,
        entryPoints[0],
        middlewares[0],
      ]),
      [
        ["Wiki.2-site", "Host(`10.0.0.5`)", "web", "Wiki.2-host"],
        ["Wiki.2-sign-in", "Host(`10.0.0.5`) && PathPrefix(`/.trivet/`)", "web", "Wiki.2-host"],
        ["Wiki.2-2-site", "Host(`a.example.org`)", "websecure", "Wiki.2-2-host"],
        [
          "Wiki.2-2-sign-in",
          "Host(`a.example.org`) && PathPrefix(`/.trivet/`)",
          "websecure",
          "Wiki.2-2-host",
        ],
        ["Wiki.2-3-site", "Host(`b.example.org`)", "websecure", "Wiki.2-3-host"],
        [
          "Wiki.2-3-sign-in",
          "Host(`b.example.org`) && PathPrefix(`/.trivet/`)",
          "websecure",
          "Wiki.2-3-host",
        ],
      ],
    );
    const hosts = ["10.0.0.5:8080", "a.example.org", "b.example.org:8443"];
    assert.deepEqual(
      ["Wiki.2-host", "Wiki.2-2-host", "Wiki.2-3-host"].map(
        (name) => http.middlewares[name]?.headers?.customRequestHeaders["X-Forwarded-Host"],
      ),
      hosts,
    );
    for (const made of [nginx, caddy]) assert.doesNotMatch(made, /\$host|\$http_host|\{host(?:port)?\}/u);
  });
});
