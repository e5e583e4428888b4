/** The doctor, with each fault put in: what it finds, and what it says to do. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import { loadConfig } from "../../src/config.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import { assertSecret } from "../../src/records/secret-check.ts";
import { MANIFEST } from "../../src/service/backup/manifest.ts";
import { serviceCollections } from "../../src/service/collections.ts";
import { examine, toVerdict } from "../../src/service/doctor/doctor.ts";
import type { Finding } from "../../src/service/doctor/finding.ts";
import { type Observed, createObserver, readObserved } from "../../src/service/observed.ts";
import type { DoctorPlace } from "../../src/service/doctor/place.ts";
import { secretChecks } from "../../src/service/secret-checks.ts";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";

const services = ["monitor", "auth", "shop"] as const;
const SECRET = "a secret of a test that is long enough";
const HOUR_MS = 3_600_000;

const health = (status = "ok", checks: Record<string, string> = { store: "ok" }): Response =>
  Response.json({
    status,
    version: "1.2.3",
    checks: Object.fromEntries(Object.entries(checks).map(([name, state]) => [name, { status: state }])),
  });
const refused = (): never => {
  const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  throw new TypeError("fetch failed", { cause });
};
const failing = (code: string) => (): never => {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error(`it is ${code}`), { code }) });
};

type Answers = Readonly<Record<string, () => Response | never>>;

describe("the doctor", () => {
  let folder: string;
  let data: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-doctor-"));
    data = join(folder, "data");
    await mkdir(data, { mode: 0o700 });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const env = (): Record<string, string> => ({
    DATA_DIR: data,
    MONITOR_PORT: "18411",
    AUTH_PORT: "18412",
    SHOP_PORT: "18413",
    GRPC_PORT: "0",
  });

  /** Runs it; the longest beginning of a URL in `answers` answers, all others refuse. */
  async function run(
    more: Record<string, string> = {},
    {
      answers = {},
      observed,
      ...place
    }: Partial<DoctorPlace> & { answers?: Answers; observed?: Observed } = {},
  ): Promise<Finding[]> {
    return examine({
      config: loadConfig({ ...env(), ...more }),
      services,
      mustRun: false,
      observe: async () => observed,
      fetch: async (url) => {
        const known = Object.keys(answers)
          .filter((start) => url.startsWith(start))
          .toSorted((a, b) => b.length - a.length)[0];
        return known === undefined ? refused() : (answers[known] ?? refused)();
      },
      now: () => Date.now(),
      ...place,
    });
  }

  const running: Answers = {
    "http://127.0.0.1:18411": health,
    "http://127.0.0.1:18412": health,
    "http://127.0.0.1:18413": health,
  };

  function has(findings: readonly Finding[], check: string, level: Finding["level"], pattern: RegExp): void {
    const text = ({ message, advice = "" }: Finding): string => `${message} → ${advice}`;
    const found = findings.filter((each) => each.check === check && each.level === level);
    assert.ok(
      found.some((finding) => pattern.test(text(finding))),
      `${check} ${level} ${String(pattern)} is not in:\n${findings.map((each) => `${each.check} ${each.level} ${text(each)}`).join("\n")}`,
    );
  }

  it("finds nothing wrong where all is well, and says of everything what to do otherwise", async () => {
    const backups = join(folder, "backups");
    const made = join(backups, "trivet-2026-01-02T03-04-05-678Z");
    await mkdir(made, { recursive: true });
    const manifest = {
      format: "trivet-backup/1",
      createdAt: new Date().toISOString(),
      files: [],
      stores: [],
    };
    await writeFile(join(made, MANIFEST), JSON.stringify(manifest));
    const findings = await run(
      {
        BACKUP_DIR: backups,
        PUBLIC_URL: "https://status.example.org",
        AUTH_PUBLIC_URL: "https://accounts.example.org",
        TRUSTED_PROXIES: "127.0.0.1",
      },
      {
        answers: {
          ...running,
          "https://status.example.org": health,
          "https://accounts.example.org": health,
          "https://accounts.example.org/sign-in/passkey/options": () =>
            Response.json({ code: "form_expired" }, { status: 403 }),
        },
        observed: { agents: { servers: 2, silent: [], silentCount: 0 } },
        mustRun: true,
      },
    );
    assert.deepEqual(
      findings.filter(({ level }) => level !== "ok"),
      [],
    );
    assert.equal(toVerdict(findings), "ok");
    const checks = new Set(findings.map(({ check }) => check));
    const all =
      "services,data folder,disk space,clock,secrets,backups,public address,passkeys,proxy,agents,email";
    for (const check of all.split(",")) assert.ok(checks.has(check), check);
  });

  it("tells a service that is stopped from one that fails, hangs, or is another program", async () => {
    const stopped = await run();
    has(
      stopped,
      "services",
      "warning",
      /The shop is not running at .*18413 → If the service should run, start it/u,
    );
    has(stopped, "ports", "ok", /Port 18413 is free/u);
    has(await run({}, { mustRun: true }), "services", "problem", /The shop is not running/u);
    const answers = {
      "http://127.0.0.1:18411": () => health("failing", { store: "failing", grpc: "ok" }),
      "http://127.0.0.1:18412": () => new Response("<h1>Welcome to nginx</h1>", { status: 200 }),
      "http://127.0.0.1:18413": failing("UND_ERR_HEADERS_TIMEOUT"),
    };
    const found = await run({}, { answers });
    has(found, "services", "problem", /The monitor responds, but these checks fail: store →/u);
    has(found, "services", "problem", /Port 18412 responds with status 200, but is not the auth/u);
    has(found, "services", "problem", /The shop does not respond at .*it is UND_ERR_HEADERS_TIMEOUT/u);
    const degraded = await run(
      {},
      { answers: { "http://127.0.0.1": () => health("degraded", { auth: "failing" }) } },
    );
    has(degraded, "services", "warning", /fail: auth/u);
  });

  it("finds a port that another program has, and an address that is not of this machine", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    try {
      has(await run({ SHOP_PORT: port }), "ports", "problem", /used by another program → .* set SHOP_PORT/u);
      has(await run({ GRPC_PORT: port }), "ports", "problem", /used by another program → .* set GRPC_PORT/u);
      has(await run({ GRPC_PORT: port }, { answers: running }), "ports", "ok", /Agents can connect/u);
    } finally {
      other.close();
      await once(other, "close");
    }
    has(
      await run({ GRPC_PORT: port }, { answers: running }),
      "ports",
      "problem",
      /No program listens on port/u,
    );
    has(
      await run({ HOST: "192.0.2.1" }),
      "ports",
      "problem",
      /(?:EADDRNOTAVAIL|EINVAL)\) → Set HOST to an IP address/u,
    );
  });

  it("warns of services that are one site to a browser, on a public address alone", async () => {
    const isShared = async (more: Record<string, string>): Promise<boolean> =>
      (await run(more)).some(
        ({ level, message }) =>
          level === "warning" && /share the origin https:\/\/example\.org:/u.test(message),
      );
    const gateway = { GATEWAY_PORT: "18414" };
    assert.equal(await isShared({ ...gateway, PUBLIC_URL: "https://example.org" }), true);
    const named = {
      PUBLIC_URL: "https://example.org",
      AUTH_PUBLIC_URL: "https://accounts.example.org",
      SHOP_PUBLIC_URL: "https://shop.example.org",
    };
    assert.equal(await isShared({ ...gateway, ...named }), false);
    assert.equal(await isShared({ ...named, SHOP_PUBLIC_URL: "https://example.org/shop" }), true);
    assert.equal(await isShared({ ...gateway, PUBLIC_URL: "http://nas.local:8000" }), false);
    assert.equal(await isShared(gateway), false);
  });

  it("names what is wrong with the public address", async () => {
    const env = { AUTH_PUBLIC_URL: "https://example.org/auth" };
    const at = (answer: () => Response | never, more: Answers = {}) =>
      run(env, { answers: { ...running, "https://example.org/auth": answer, ...more } });
    has(await run({}, { answers: running }), "public address", "warning", /No public URL is set/u);
    const page = await at(() => new Response("<h1>shop</h1>", { status: 404 }));
    has(page, "public address", "problem", /status 404, but is not the auth → Check AUTH_PUBLIC_URL/u);
    has(
      await at(failing("ENOTFOUND")),
      "public address",
      "warning",
      /The name example\.org cannot be resolved/u,
    );
    has(await at(failing("UND_ERR_CONNECT_TIMEOUT")), "public address", "warning", /hairpin NAT/u);
    has(await at(failing("CERT_HAS_EXPIRED")), "public address", "problem", /Renew the certificate/u);
    const unknown = await at(failing("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"));
    has(unknown, "public address", "warning", /NODE_EXTRA_CA_CERTS/u);
    const hostless = await at(health, {
      "https://example.org/auth/sign-in/passkey": () =>
        new Response("There is no such page", { status: 404 }),
    });
    has(hostless, "passkeys", "problem", /does not lead to the auth center \(status 404\)/u);
    const late = new Date(Date.now() + 10 * 60_000).toUTCString();
    const skewed = await at(() => new Response(health().body, { headers: { date: late } }));
    has(skewed, "clock", "problem", /is 60\d s behind|is 59\d s behind/u);
    const plain = await run(
      { AUTH_PUBLIC_URL: "http://example.org" },
      { answers: { ...running, "http://example.org": health } },
    );
    has(plain, "passkeys", "warning", /no passkeys at http:\/\/example\.org → Passkeys need https/u);
    const local = await run(
      { AUTH_PUBLIC_URL: "http://localhost:18412" },
      { answers: { ...running, "http://localhost:18412": health } },
    );
    has(local, "passkeys", "ok", /responds/u);
  });

  it("names a proxy that is not trusted, and servers whose reports never came", async () => {
    const agents = { servers: 3, silent: ["web-1"], silentCount: 1 };
    const observed = { untrustedProxy: "10.89.0.1", agents };
    const found = await run({ TRUSTED_PROXIES: "127.0.0.1" }, { answers: running, observed });
    has(
      found,
      "proxy",
      "warning",
      /Requests come from 10\.89\.0\.1.*TRUSTED_PROXIES=127\.0\.0\.1,10\.89\.0\.1/u,
    );
    has(found, "agents", "warning", /1 of 3 servers have no accepted report.*web-1 → .*trivet-agent/u);
  });

  it("looks at the data folder, the clock and the disk", async () => {
    await writeFile(join(data, "from-tomorrow"), "");
    const tomorrow = new Date(Date.now() + 24 * HOUR_MS);
    await utimes(join(data, "from-tomorrow"), tomorrow, tomorrow);
    await chmod(data, 0o755);
    const found = await run();
    has(found, "data folder", "warning", /Other users can read .* \(mode 755\).* → chmod 700/u);
    has(found, "clock", "problem", /files in the data folder are from/u);
    has(found, "disk space", "ok", /GiB free/u);
    has(await run({ DATA_DIR: join(folder, "none") }), "data folder", "warning", /does not exist yet/u);
    await writeFile(join(folder, "file"), "");
    has(
      await run({ DATA_DIR: join(folder, "file", "x") }),
      "data folder",
      "problem",
      /cannot be read \(ENOTDIR\)/u,
    );
    if (process.getuid?.() === 0) {
      const { chown } = await import("node:fs/promises");
      await chown(join(data, "from-tomorrow"), 4_242, 4_242);
      has(await run(), "data folder", "problem", /1 files .* belong to a different user.* → chown -R/u);
    }
  });

  it("compares the secret of each service with its records", async () => {
    const collections = serviceCollections["auth"] ?? [];
    const store = await openJournalStore({ folder: join(data, "auth"), name: "auth", collections });
    await assertSecret(store, createSecretBox(SECRET), secretChecks.auth);
    await store.close();
    has(
      await run(),
      "secrets",
      "problem",
      /auth-secret\.json".* is missing.* → Before the start, copy auth-secret/u,
    );
    await writeFile(join(data, "auth-secret.json"), JSON.stringify({ secret: `${SECRET}, but another` }));
    has(await run(), "secrets", "problem", /The secret of the auth is not the one that sealed its records/u);
    await writeFile(join(data, "auth-secret.json"), "{");
    has(await run(), "secrets", "problem", /does not contain a secret/u);
    has(await run({ AUTH_SECRET: SECRET }), "secrets", "ok", /matches its records/u);
    has(await run({}, { answers: running }), "secrets", "ok", /The auth runs with the secret/u);
    await writeFile(join(data, "auth", "auth.json"), '{"format":"trivet-store/99"}');
    has(await run(), "secrets", "problem", /The records of the auth cannot be read/u);
  });

  it("looks at the age of the backups, at the database and at the mail server", async () => {
    has(await run(), "backups", "warning", /Backups are disabled → Set BACKUP_DIR/u);
    const backups = join(folder, "backups");
    has(await run({ BACKUP_DIR: backups }), "backups", "warning", /There is no backup/u);
    const made = join(backups, "trivet-2026-01-02T03-04-05-678Z");
    await mkdir(made, { recursive: true });
    const createdAt = new Date(Date.now() - 72 * HOUR_MS).toISOString();
    await writeFile(
      join(made, MANIFEST),
      JSON.stringify({ format: "trivet-backup/1", createdAt, files: [], stores: [] }),
    );
    has(await run({ BACKUP_DIR: backups }), "backups", "problem", /is 3 days old/u);
    has(await run({ BACKUP_DIR: backups, BACKUP_EVERY: "48" }), "backups", "ok", /is 3 days old/u);
    const closed = {
      DATABASE_URL: "postgres://trivet@127.0.0.1:1/x",
      SMTP_URL: "smtp://127.0.0.1:1?from=a@b.example",
    };
    const found = await run(closed);
    has(found, "database", "problem", /PostgreSQL does not respond: .*ECONNREFUSED/u);
    has(found, "email", "problem", /127\.0\.0\.1:1 failed at the step "connect": .*ECONNREFUSED/u);
  });

  it("reads what a service wrote down, and nothing that is damaged", async () => {
    const observer = createObserver("monitor", data);
    observer.watchAgents(async () => ({ servers: 1, silent: ["a"], silentCount: 1 }));
    observer.noteUntrustedProxy("10.0.0.9");
    await observer.job.run();
    const kept = { untrustedProxy: "10.0.0.9", agents: { servers: 1, silent: ["a"], silentCount: 1 } };
    assert.deepEqual(await readObserved(data, "monitor"), kept);
    await writeFile(join(data, "shop-observed.json"), '{"untrustedProxy": 1}');
    assert.equal(await readObserved(data, "shop"), undefined);
    assert.equal(await readObserved(data, "auth"), undefined);
  });
});
