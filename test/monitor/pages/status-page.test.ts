/** What people and programs see of status pages, and what stays hidden. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { loadPageAssets } from "../../../src/kit/http/web-assets.ts";
import { StoreError, type Store } from "../../../src/store/store.ts";
import { ADMIN_TOKEN, type TestApp, createTestApp } from "../app-fixture.ts";
import { createTestStore } from "../fixtures.ts";
import { createCheckBench } from "../checks/check-bench.ts";
import { create } from "../http/requests.ts";
import { addPage, addPost, postsPath, readJson } from "../status/status-fixture.ts";

const html = { accept: "text/html" };
const EVIL = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`;
/** What one page takes on the wire, with its styles and script. */
const PAGE_BYTES = 40_000;
const manual = (name: string, status = "operational"): object => ({
  name,
  source: { type: "manual", status },
});

function show(app: TestApp, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return app.raw(path, { headers: { ...html, ...headers } });
}

/** A store that can be taken away. */
function createFlakyStore(): Store & { isAway: boolean } {
  const store = createTestStore();
  const refuse = (): never => {
    throw new StoreError("store_unavailable", "The store is away");
  };
  const flaky = {
    ...store,
    isAway: false,
    transact: async <R>(work: Parameters<typeof store.transact<R>>[0]): Promise<R> =>
      flaky.isAway ? refuse() : store.transact(work),
    read: async <R>(work: Parameters<typeof store.read<R>>[0]): Promise<R> =>
      flaky.isAway ? refuse() : store.read(work),
    check: async (): Promise<void> => (flaky.isAway ? refuse() : store.check()),
    close: () => store.close(),
  };
  return flaky;
}

describe("a status page", () => {
  it("says since when its uptime is known, as long as that is less than 90 days", async () => {
    const app = await createTestApp();
    await addPage(app, { components: [manual("Site")] });
    const uptime = async (): Promise<string> => {
      await app.monitor.status.uptime.refresh();
      const page = await (await show(app, "/status", { "accept-language": "en" })).text();
      return /<span class="push small muted num">([^<]*)</u.exec(page)?.[1] ?? "";
    };
    const badge = async (): Promise<unknown> =>
      (await (await app.fetch("/status/main/badge.json?type=uptime")).json()) as unknown;
    app.clock.advance(12 * 60_000);
    assert.equal(await uptime(), "monitored for 12 minutes");
    assert.match(JSON.stringify(await badge()), /"message":"monitored for 12 minutes","color":"#5f6c65"/u);
    app.clock.advance(60 * 60_000);
    assert.equal(await uptime(), "100% uptime today, the first day");
    assert.match(JSON.stringify(await badge()), /"message":"100%"/u);
    const first = new Date(app.clock.now());
    app.clock.advance(3 * 86_400_000);
    const day = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
    assert.equal(await uptime(), `100% uptime since ${day.format(first)}`);
    app.clock.advance(100 * 86_400_000);
    assert.equal(await uptime(), "100% uptime in 90 days");
  });

  it("shows no percentage of a check or server that is younger than an hour", async () => {
    const { app, make, pass } = await createCheckBench();
    const { id: checkId } = await make("one");
    const { agentKey } = await create(app, "web-1");
    const hello = { serverId: "web-1", agentKey, hostname: "", remoteAddress: "192.0.2.1" };
    const session = await app.monitor.ingest.open(hello);
    const report = JSON.stringify({ v: 1, cpu: { usagePercent: 1 } });
    const watch = async (minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute += 1) {
        await session.report(report, app.clock.now());
        await pass(60);
        app.monitor.tick();
      }
    };
    await addPage(app, {
      components: [
        { name: "Check", source: { type: "check", checkId } },
        { name: "Server", source: { type: "server", serverId: "web-1" } },
      ],
    });
    const uptimes = async (): Promise<string[]> => {
      await app.monitor.status.uptime.refresh();
      const page = await (await show(app, "/status", { "accept-language": "en" })).text();
      return Array.from(
        page.matchAll(/<span class="push small muted num">([^<]*)</gu),
        ([, text = ""]) => text,
      );
    };
    await watch(12);
    for (const text of await uptimes()) assert.match(text, /^monitored for 1[123] minutes$/u);
    await watch(50);
    for (const text of await uptimes()) assert.match(text, /^\d+% uptime today/u);
  });

  it("describes the overall state in one sentence, in the reader's language", async () => {
    const app = await createTestApp();
    await addPage(app, { components: [manual("Site"), manual("Shop", "major_outage")] });
    for (const [language, sentence] of [
      ["en", "Shop has a major outage"],
      ["de", "Shop ist ausgefallen"],
      ["zh", "Shop 严重中断"],
    ] as const) {
      const answer = await show(app, "/status", { "accept-language": language });
      assert.equal(answer.status, 200);
      const page = await answer.text();
      assert.match(page, new RegExp(`<html lang="${language}"`, "u"));
      assert.match(page, new RegExp(`<h1 id="overall">${sentence}</h1>`, "u"));
      assert.equal(
        await (
          await show(app, `/status/main?lang=${language}`)
        )
          .text()
          .then((text) => text.includes(sentence)),
        true,
      );
    }
    assert.equal((await show(app, "/status/none")).status, 404);
  });

  it("never counts unknown components as working", async () => {
    const app = await createTestApp();
    const source = { type: "check", checkId: "chk_gone" };
    await addPage(app, { components: [{ name: "Site", source }] });
    const page = await (await show(app, "/status")).text();
    assert.match(page, /Site can’t be checked right now/u);
    assert.match(page, /No data/u);
    assert.doesNotMatch(page, /All systems operational|Operational/u);
    const { status } = await readJson(await app.fetch("/status/main/api/v2/status.json"));
    assert.notEqual((status as { indicator: string }).indicator, "none");
  });

  it("keeps text text in every field, in HTML, SVG and JSON, and the styles in their file", async () => {
    const app = await createTestApp();
    const page = await addPage(app, {
      title: EVIL.slice(0, 100),
      description: EVIL,
      components: [{ ...manual(EVIL.slice(0, 100)), description: EVIL, group: EVIL.slice(0, 64) }],
      customCss: `</style><script>alert(3)</script>`,
    });
    const update = { step: "investigating", text: `${EVIL} https://example.org/?a="b javascript:alert(4)` };
    const post = await addPost(app, page.id, { title: EVIL, update });
    for (const path of ["", "/history", `/incidents/${post.id}`]) {
      const answer = await show(app, `/status/main${path}`);
      const text = await answer.text();
      assert.doesNotMatch(text, /<script>|<img|href="javascript|<\/style>| style=/u, path);
      assert.match(answer.headers.get("content-security-policy") ?? "", /default-src 'none'/u);
    }
    const shown = await (await show(app, "/status")).text();
    const [, styles = ""] = /href="(\/status\/main\/page-[^"]+)"/u.exec(shown) ?? [];
    const sheet = await app.raw(styles);
    assert.equal(sheet.headers.get("content-type"), "text/css; charset=utf-8");
    assert.equal(sheet.headers.get("x-content-type-options"), "nosniff");
    const id = page.components[0]?.id ?? "";
    const label = encodeURIComponent(`${EVIL}\r\n\u2028]]>`);
    for (const path of [`/badge.svg?label=${label}`, `/components/${id}/badge.svg`]) {
      const badge = await app.fetch(`/status/main${path}`);
      assert.equal(badge.headers.get("content-type"), "image/svg+xml; charset=utf-8");
      assert.doesNotMatch(await badge.text(), /<script|<img|[\r\n\u2028]/u);
    }
  });

  it("shows a hidden server under the component's own name, and nothing else of it", async () => {
    const app = await createTestApp();
    const secret = "secret-box-7";
    await app.admin("POST", "/api/admin/servers", { id: secret, name: "Secret rack", hidden: true });
    const source = { type: "server", serverId: secret };
    await addPage(app, { components: [{ name: "Disk", source }] });
    for (const path of ["", "/history", "/summary.json", "/api/v2/components.json", "/badge.json"]) {
      const text = await (await app.raw(`/status/main${path}`, { headers: html })).text();
      assert.doesNotMatch(text, /secret-box-7|Secret rack/u, path);
    }
  });

  it("is one small page: with its styles and script", async () => {
    const app = await createTestApp();
    const components = Array.from({ length: 30 }, (_, at) => manual(`Component number ${at}`));
    await addPage(app, { components });
    const page = await (await show(app, "/status")).text();
    const assets = await loadPageAssets();
    const files = [assets.statusStyle, assets.statusScript].map((name) => {
      const asset = assets.find(name);
      return (asset?.gzipped ?? asset?.bytes)?.length ?? 0;
    });
    const total = files.reduce((sum, each) => sum + each, gzipSync(page).length);
    assert.ok(files.every((size) => size > 0));
    assert.ok(total <= PAGE_BYTES, `${total} bytes`);
  });
});

describe("a status page from memory", () => {
  it("is rendered once, has an entity tag, and is rendered again when something changes", async () => {
    const app = await createTestApp();
    const page = await addPage(app, { components: [manual("Site")] });
    const first = await show(app, "/status");
    const tag = first.headers.get("etag") ?? "";
    assert.equal((await show(app, "/status", { "if-none-match": tag })).status, 304);
    assert.match(first.headers.get("cache-control") ?? "", /^public/u);
    const packed = await show(app, "/status", { "accept-encoding": "gzip" });
    assert.equal(packed.headers.get("content-encoding"), "gzip");
    assert.notEqual(packed.headers.get("etag"), tag);
    await addPost(app, page.id);
    app.clock.advance(1_000);
    const second = await show(app, "/status", { "if-none-match": tag });
    assert.equal(second.status, 200);
    assert.match(await second.text(), /Shop is slow/u);
  });

  it("is shown while the store is away", async () => {
    const store = createFlakyStore();
    const app = await createTestApp({ store });
    const page = await addPage(app, { components: [manual("Site")] });
    const post = await addPost(app, page.id);
    store.isAway = true;
    app.clock.advance(120_000);
    for (const path of ["", "/history", `/incidents/${post.id}`, "/badge.svg", "/summary.json"])
      assert.equal((await show(app, `/status/main${path}`)).status, 200, path);
  });

  it("keeps a reader's choice by cookie, for no shared cache", async () => {
    const app = await createTestApp();
    await addPage(app);
    const chosen = await show(app, "/status?lang=de", { "sec-fetch-site": "same-origin" });
    assert.match(chosen.headers.get("set-cookie") ?? "", /trivet_language=de/u);
    assert.equal(chosen.headers.get("cache-control"), "private, no-cache");
    const linked = await show(app, "/status?lang=de", { "sec-fetch-site": "cross-site" });
    assert.equal(linked.headers.get("set-cookie"), null);
    const dark = await show(app, "/status", { cookie: "theme=dark; trivet_language=zh" });
    assert.match(await dark.text(), /<html lang="zh" dir="ltr" data-theme="dark"/u);
  });

  it("keeps it in cookies of this host alone where people come by https, and reads earlier ones", async () => {
    const app = await createTestApp({ publicUrl: "https://monitor.example.org" });
    await addPage(app);
    const own = { "sec-fetch-site": "same-origin" };
    const cookies = (await show(app, "/status?lang=de&theme=dark", own)).headers.getSetCookie();
    assert.deepEqual(
      cookies.map((cookie) => cookie.split("=", 1)[0]),
      ["__Host-trivet_language", "__Host-theme"],
    );
    for (const cookie of cookies) assert.match(cookie, /; Secure/u);
    for (const [cookie, theme] of [
      ["theme=dark", "dark"],
      ["theme=dark; __Host-theme=light", "light"],
      ["theme=dark; __Host-theme=auto", "auto"],
    ] as const)
      assert.ok(
        (await (await show(app, "/status", { cookie })).text()).includes(`data-theme="${theme}"`),
        cookie,
      );
  });
});

describe("a status page that is not for all", () => {
  it("tells strangers nothing, and shows members all, on a monitor that is open", async () => {
    const app = await createTestApp();
    const page = await addPage(app, {
      access: "members",
      title: "Inner circle",
      components: [manual("Vault")],
    });
    const id = page.components[0]?.id ?? "";
    const shut = await show(app, "/status/main");
    assert.equal(shut.status, 401);
    assert.equal(shut.headers.get("cache-control"), "no-store");
    assert.doesNotMatch(await shut.text(), /Inner circle|Vault|cmp_/u);
    for (const path of ["/history", "/incidents/inc_1"])
      assert.equal((await show(app, `/status/main${path}`)).status, 401, path);
    for (const path of ["/summary.json", "/badge.svg", "/badge.json", `/components/${id}/badge.svg`])
      assert.equal((await app.raw(`/status/main${path}`)).status, 401, path);
    assert.equal((await app.raw("/status/main/page-1-0.css")).status, 404);
    const known = await show(app, "/status/main", { "x-admin-token": ADMIN_TOKEN });
    assert.equal(known.status, 200);
    assert.equal(known.headers.get("cache-control"), "private, no-cache");
    assert.match(await known.text(), /Vault/u);
  });

  it("is no page at all before it is published, nor is a draft", async () => {
    const app = await createTestApp();
    const page = await addPage(app, { published: false });
    assert.equal((await show(app, "/status/main")).status, 404);
    assert.equal((await show(app, "/status")).status, 404);
    assert.equal((await show(app, "/status/main", { "x-admin-token": ADMIN_TOKEN })).status, 200);
    await app.admin("PATCH", `/api/admin/status-pages/${page.id}`, { published: true });
    const draft = await addPost(app, page.id, { isDraft: true, title: "Not yet" });
    assert.doesNotMatch(await (await show(app, "/status")).text(), /Not yet/u);
    assert.equal((await show(app, `/status/main/incidents/${draft.id}`)).status, 404);
  });

  it("stays open on a monitor that is private", async () => {
    const app = await createTestApp();
    await addPage(app, { components: [manual("Site")] });
    await app.admin("PATCH", "/api/admin/settings", { access: { isPrivate: true } });
    assert.equal((await show(app, "/status")).status, 200);
    assert.equal((await app.raw("/status/main/badge.svg")).status, 200);
    assert.equal((await app.raw("/api/servers")).status, 401);
  });
});

describe("a status page on a host of its own", () => {
  it("names the contact for weaknesses, as every host of the monitor does, a private one too", async () => {
    const app = await createTestApp({ securityContacts: ["mailto:security@example.org"] });
    await addPage(app, { host: "status.example.org", components: [manual("Site")] });
    await app.admin("PATCH", "/api/admin/settings", { access: { isPrivate: true } });
    for (const host of ["status.example.org", "monitor.example.org"]) {
      const answer = await app.raw("/.well-known/security.txt", { host });
      assert.equal(answer.status, 200, host);
      assert.match(await answer.text(), /^Contact: mailto:security@example\.org\n/u);
    }
  });

  it("is at the root, with nothing of the console; other hosts change nothing", async () => {
    const app = await createTestApp({ publicUrl: "https://monitor.example.org" });
    await addPage(app, { host: "status.example.org", components: [manual("Site")] });
    const at = (host: string, path: string): Promise<Response> => app.raw(path, { host, headers: html });
    const page = await at("status.example.org:8443", "/");
    assert.equal(page.status, 200);
    const text = await page.text();
    assert.match(text, /href="\/history"/u);
    assert.match(text, /rel="canonical" href="https:\/\/status.example.org"/u);
    for (const path of [
      "/admin",
      "/api/admin/status-pages",
      "/api/servers",
      "/servers/x",
      "/swagger/index.html",
      "/status/main",
    ])
      assert.equal((await at("status.example.org", path)).status, 404, path);
    assert.equal((await at("status.example.org", "/api/v2/status.json")).status, 200);
    assert.doesNotMatch(await (await at("evil.example.org", "/")).text(), /id="overall"/u);
    const evil = await (await at("evil.example.org", "/status")).text();
    assert.doesNotMatch(evil, /evil\.example/u);
    const own = await app.admin("POST", "/api/admin/status-pages", {
      slug: "b",
      title: "x",
      host: "monitor.example.org",
    });
    assert.equal(own.status, 422);
  });
});

describe("status pages and planned maintenance", () => {
  it("tells of windows that cover components, begins and ends them, and takes back what is cancelled", async () => {
    const app = await createTestApp();
    await app.admin("POST", "/api/admin/servers", { id: "db-1", name: "db-1" });
    const page = await addPage(app, {
      components: [{ name: "Database", source: { type: "server", serverId: "db-1" } }],
    });
    const iso = (ms: number): string => new Date(ms).toISOString();
    const [from, to] = [app.clock.now() + 3_600_000, app.clock.now() + 7_200_000];
    const schedule = { type: "once", from: iso(from), to: iso(to) };
    await app.admin("POST", "/api/admin/maintenances", { name: "New disks", schedule });
    const told: string[] = [];
    app.monitor.status.events.follow(async (_tx, { type, post }) => {
      told.push(`${type} ${post.step}`);
    });
    const look = async (): Promise<string> => {
      await app.monitor.status.tick();
      await app.monitor.status.tick();
      app.clock.advance(1_000);
      return (await show(app, "/status")).text();
    };
    assert.match(await look(), /New disks[^]*Scheduled/u);
    app.clock.advance(3_600_000);
    assert.match(await look(), /Under maintenance/u);
    app.clock.advance(3_600_000);
    assert.doesNotMatch(await look(), /Under maintenance/u);
    assert.deepEqual(told, ["published scheduled", "updated in_progress", "ended completed"]);
    const later = { type: "once", from: iso(to + 7_200_000), to: iso(to + 9_000_000) };
    const made = await readJson(
      await app.admin("POST", "/api/admin/maintenances", { name: "Wires", schedule: later }),
    );
    assert.match(await look(), /Wires/u);
    await app.admin("DELETE", `/api/admin/maintenances/${String(made["id"])}`);
    assert.doesNotMatch(await look(), /Wires/u);
    const { items } = await readJson(await app.admin("GET", postsPath(page.id)));
    assert.equal((items as unknown[]).length, 1);
  });
});
