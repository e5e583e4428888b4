import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ConfigError, configVariables, loadConfig } from "../src/config.ts";
import { toShownUrl } from "../src/kit/outbound/unix-socket.ts";

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}

describe("loadConfig", () => {
  it("has a default for everything", () => {
    assert.deepEqual(JSON.parse(JSON.stringify(loadConfig({}))), {
      host: "127.0.0.1",
      ports: { monitor: 8080, shop: 8081, auth: 8082 },
      socketMode: 0o660,
      places: { monitor: { basePath: "" }, shop: { basePath: "" }, auth: { basePath: "" } },
      grpc: { port: 50051 },
      dataDir: "data",
      scrubEveryHours: 24,
      secrets: {},
      securityContacts: [],
      adminTokens: {},
      isAuthNamed: false,
      authUrl: "http://127.0.0.1:8082",
      adminTokenInQuery: true,
      notifyPrivate: false,
      checksPrivate: false,
      checkAnchors: [],
      smtpPrivate: false,
      upstreamPrivate: false,
      trustedProxies: [],
      allowedOrigins: { monitor: [], shop: [], auth: [] },
      logLevel: "info",
      metricsPublic: false,
      readOnly: false,
      viewersPerAddress: 50,
    });
  });

  it("takes an empty variable as absent", () => {
    assert.equal(loadConfig({ HOST: "", MONITOR_PORT: " " }).host, "127.0.0.1");
  });

  it("puts a service's own administrator token over the common one", () => {
    const common = "a-common-token-of-all";
    const own = "a-token-of-the-shop-only";
    const { adminTokens } = loadConfig({ ADMIN_TOKEN: common, SHOP_ADMIN_TOKEN: own });
    assert.deepEqual(adminTokens, { monitor: common, shop: own, auth: common });
  });

  it("reads lists, and cuts the slash from the public address", () => {
    const config = loadConfig({
      TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8,::1",
      ALLOWED_ORIGINS: "https://a.example,*",
      PUBLIC_URL: "https://status.example/base/",
      METRICS_PUBLIC: "1",
      READ_ONLY: "1",
      VIEWERS_PER_ADDRESS: "2000",
      UPDATE_CHECK: "https://updates.example.org/latest.json",
    });
    assert.deepEqual(config.trustedProxies, ["127.0.0.1", "10.0.0.0/8", "::1"]);
    assert.deepEqual(config.allowedOrigins.monitor, ["https://a.example", "*"]);
    const own = loadConfig({
      ALLOWED_ORIGINS: "https://a.example",
      SHOP_ALLOWED_ORIGINS: "https://shop.example",
    });
    assert.deepEqual(
      [own.allowedOrigins.shop, own.allowedOrigins.auth],
      [["https://shop.example"], ["https://a.example"]],
    );
    assert.equal(config.publicUrl, "https://status.example/base");
    assert.equal(config.places.monitor.basePath, "/base");
    assert.equal(config.metricsPublic, true);
    assert.equal(config.readOnly, true);
    assert.equal(config.viewersPerAddress, 2_000);
    assert.equal(config.updateCheck, "https://updates.example.org/latest.json");
    assert.deepEqual(
      ["", "off"].map((UPDATE_CHECK) => loadConfig({ UPDATE_CHECK }).updateCheck),
      [undefined, undefined],
    );
  });

  it("reads what the auth center needs", () => {
    const config = loadConfig({
      AUTH_PUBLIC_URL: "https://accounts.example/",
      AUTH_SECRET: "a secret of at least 32 characters",
      ADMIN_TOKEN_IN_QUERY: "0",
      SMTP_URL: "smtps://user:password@mail.example?from=accounts@mail.example",
    });
    assert.equal(config.authPublicUrl, "https://accounts.example");
    assert.equal(config.secrets.auth, "a secret of at least 32 characters");
    assert.equal(config.adminTokenInQuery, false);
    assert.deepEqual(
      [config.smtp?.host, config.smtp?.port, config.smtp?.security],
      ["mail.example", 465, "tls"],
    );
  });

  it("reads what notices need", () => {
    const config = loadConfig({
      MONITOR_SECRET: "a secret of at least 32 characters",
      NOTIFY_PRIVATE: "1",
      CHECKS_PRIVATE: "1",
      CHECK_ANCHORS: "192.0.2.1:53, [2001:db8::1]:443,gw.example.org:80",
      SMTP_PRIVATE: "1",
      UPSTREAM_PRIVATE: "1",
      PING_KEY: "fleet-key-of-this-monitor",
    });
    assert.equal(config.pingKey, "fleet-key-of-this-monitor");
    assert.equal(config.secrets.monitor, "a secret of at least 32 characters");
    assert.equal(config.notifyPrivate, true);
    assert.equal(config.checksPrivate, true);
    assert.deepEqual(config.checkAnchors, [
      { host: "192.0.2.1", port: 53 },
      { host: "2001:db8::1", port: 443 },
      { host: "gw.example.org", port: 80 },
    ]);
    assert.equal(config.smtpPrivate, true);
    assert.equal(config.upstreamPrivate, true);
  });

  it("takes Unix sockets, and reaches the auth service by its own", () => {
    const config = loadConfig({
      SHOP_PORT: "unix:/run/trivet/shop.sock",
      AUTH_PORT: "unix:/run/trivet/auth.sock",
      SHOP_PUBLIC_URL: "https://shop.example.org",
      AUTH_PUBLIC_URL: "https://accounts.example.org",
      SOCKET_MODE: "0666",
      TRUSTED_PROXIES: "unix,127.0.0.1",
    });
    assert.deepEqual(config.ports, {
      monitor: 8080,
      shop: "unix:/run/trivet/shop.sock",
      auth: "unix:/run/trivet/auth.sock",
    });
    assert.equal(config.socketMode, 0o666);
    assert.equal(toShownUrl(config.authUrl), "unix:/run/trivet/auth.sock");
    const shared = loadConfig({
      GATEWAY_PORT: "unix:/run/trivet/trivet.sock",
      AUTH_PORT: "off",
      PUBLIC_URL: "https://example.org",
    });
    assert.equal(toShownUrl(shared.authUrl), "unix:/run/trivet/trivet.sock /auth");
  });

  for (const [env, problem] of [
    [{ SHOP_PORT: "unix:shop.sock" }, /^SHOP_PORT takes a Unix socket with an absolute path/u],
    [{ SHOP_PORT: "unix:/run/trivet/" }, /^SHOP_PORT takes a Unix socket with an absolute path/u],
    [{ SHOP_PORT: `unix:/${"a".repeat(107)}` }, /^SHOP_PORT takes .* up to 107 bytes$/u],
    [{ SHOP_PORT: "unix:/run/shop.sock" }, /^SHOP_PUBLIC_URL is not set: .* only through a proxy/u],
    [{ GATEWAY_PORT: "unix:/run/all.sock" }, /^PUBLIC_URL is not set: .* only through a proxy/u],
    [{ GRPC_PORT: "unix:/run/agents.sock" }, /^PUBLIC_GRPC is not set/u],
    [{ SHOP_PORT: "socket" }, /^SHOP_PORT takes a port number from 0 to 65535 .*unix:\/run.*or off/u],
    [{ SOCKET_MODE: "rw" }, /^SOCKET_MODE takes permissions as three octal digits/u],
    [
      {
        SHOP_PORT: "unix:/run/a.sock",
        AUTH_PORT: "unix:/run/a.sock",
        SHOP_PUBLIC_URL: "https://a.example",
        AUTH_PUBLIC_URL: "https://b.example",
      },
      /^SHOP_PORT is the same Unix socket as another variable/u,
    ],
  ] as const)
    it(`explains ${JSON.stringify(env).slice(0, 60)}`, () => {
      assert.match(problemsOf(env)[0] ?? "", problem);
    });

  it("tells where agents connect, and whether with TLS", () => {
    const read = (text: string): unknown => loadConfig({ PUBLIC_GRPC: text }).publicGrpc;
    assert.deepEqual(read("agents.example:50051"), { address: "agents.example:50051", tls: false });
    assert.deepEqual(read("tls://status.example:443"), { address: "status.example:443", tls: true });
    assert.deepEqual(read("tls://[2001:db8::1]:443"), { address: "[2001:db8::1]:443", tls: true });
  });

  for (const text of [
    "status.example",
    "https://status.example:443",
    "a:0",
    "a:70000",
    "tls://",
    "a b:1",
    "a:1/x",
  ]) {
    it(`refuses "${text}" as the address for agents`, () => {
      assert.match(problemsOf({ PUBLIC_GRPC: text })[0] ?? "", /^PUBLIC_GRPC takes host:port/u);
    });
  }

  const wrong: Record<string, string> = {
    HOST: "a b",
    BACKUP_DIR: "data/backups",
    BACKUP_EVERY: "daily",
    BACKUP_KEEP: "0",
    BACKUP_RECIPIENTS: "AGE-SECRET-KEY-1",
    SCRUB_EVERY: "daily",
    MONITOR_PORT: "70000",
    SHOP_PORT: "-1",
    AUTH_PORT: "8o82",
    GRPC_PORT: "1e3",
    GATEWAY_PORT: "https",
    SOCKET_MODE: "rw",
    ADMIN_TOKEN: "short",
    MONITOR_ADMIN_TOKEN: "with a space in it",
    SHOP_ADMIN_TOKEN: "x".repeat(257),
    AUTH_ADMIN_TOKEN: "tökén-with-umlauts!",
    DATABASE_URL: "mysql://localhost/trivet",
    NATS_URL: "http://localhost",
    NATS_PREFIX: "two words",
    AUTH_URL: "auth.example",
    AUTH_PUBLIC_URL: "accounts.example",
    AUTH_SECRET: "a-secret-that-is-short",
    SHOP_SECRET: "a-secret-that-is-short",
    MONITOR_SECRET: "a-secret-that-is-short",
    NOTIFY_PRIVATE: "maybe",
    CHECKS_PRIVATE: "maybe",
    CHECK_ANCHORS: "192.0.2.1",
    PING_KEY: "too-short",
    SMTP_PRIVATE: "maybe",
    UPSTREAM_PRIVATE: "maybe",
    SHOP_PUBLIC_URL: "shop.example.org",
    SHOP_DEMO: "yes",
    ADMIN_TOKEN_IN_QUERY: "no",
    SMTP_URL: "smtp://mail.example:587?from=nobody",
    PUBLIC_URL: "ftp://status.example",
    PUBLIC_GRPC: "https://status.example:443",
    TRUSTED_PROXIES: "10.0.0.0/99",
    ALLOWED_ORIGINS: "https://a.example/path",
    MONITOR_ALLOWED_ORIGINS: "https://a.example/path",
    SHOP_ALLOWED_ORIGINS: "a.example",
    AUTH_ALLOWED_ORIGINS: "https://a.example/",
    LOG_LEVEL: "loud",
    METRICS_PUBLIC: "yes",
    READ_ONLY: "yes",
    VIEWERS_PER_ADDRESS: "0",
    UPDATE_CHECK: "on",
    SECURITY_CONTACT: "security@example.org, http://example.org",
    BACKUP_KEYS: "yes",
  };
  for (const [name, value] of Object.entries(wrong)) {
    it(`says what ${name} takes when it is wrong`, () => {
      // This is not about what NATS_URL requires.
      const problems = problemsOf({ DATABASE_URL: "postgres://db.example/trivet", [name]: value });
      assert.ok(problems.length > 0);
      for (const problem of problems) assert.match(problem, new RegExp(`^${name} takes .+`, "u"));
    });
  }

  it("reports every problem at once, and never shows a token", () => {
    const text = problemsOf(wrong).join("\n");
    for (const name of Object.keys(wrong)) assert.ok(text.includes(name), name);
    for (const name of Object.keys(wrong).filter((key) => key.endsWith("TOKEN")))
      assert.ok(!text.includes(wrong[name] ?? ""));
    assert.ok(!text.includes("a-secret-that-is-short"));
  });

  it("wants a TLS certificate and its key together", () => {
    assert.match(problemsOf({ GRPC_TLS_CERT: "cert.pem" })[0] ?? "", /^GRPC_TLS_KEY is not set/u);
    assert.match(problemsOf({ GRPC_TLS_KEY: "key.pem" })[0] ?? "", /^GRPC_TLS_CERT is not set/u);
    assert.deepEqual(loadConfig({ GRPC_TLS_CERT: "c", GRPC_TLS_KEY: "k" }).grpc, {
      port: 50051,
      tlsCertPath: "c",
      tlsKeyPath: "k",
    });
  });

  it("puts all services behind one port: below the monitor's address, unless they have their own", () => {
    const anywhere = loadConfig({ GATEWAY_PORT: "8000" });
    assert.equal(anywhere.gatewayPort, 8_000);
    assert.equal(anywhere.publicUrl, undefined);
    assert.deepEqual(
      [anywhere.places.monitor, anywhere.places.auth].map(({ hostname, basePath }) => [hostname, basePath]),
      [
        [undefined, ""],
        [undefined, "/auth"],
      ],
    );
    const one = loadConfig({ GATEWAY_PORT: "8000", PUBLIC_URL: "https://example.org", AUTH_PORT: "off" });
    assert.equal(one.authPublicUrl, "https://example.org/auth");
    assert.equal(one.shopPublicUrl, "https://example.org/shop");
    assert.equal(one.authUrl, "http://127.0.0.1:8000/auth");
    const hosts = loadConfig({
      GATEWAY_PORT: "8000",
      PUBLIC_URL: "https://status.example.org",
      AUTH_PUBLIC_URL: "https://Accounts.example.org",
      AUTH_PORT: "off",
    });
    assert.deepEqual([hosts.places.auth.hostname, hosts.places.auth.basePath], ["accounts.example.org", ""]);
    // At the root of this machine is the monitor already.
    assert.equal(hosts.authUrl, "http://127.0.0.1:8000/.services/auth");
    assert.equal(loadConfig({ PUBLIC_URL: "https://example.org" }).authPublicUrl, undefined);
  });

  it("rejects identical URLs, paths of the services' own, and unreachable ones", () => {
    const both = { PUBLIC_URL: "http://example.org:8080", SHOP_PUBLIC_URL: "http://example.org:8081" };
    assert.deepEqual(problemsOf(both), []);
    assert.match(
      problemsOf({ ...both, GATEWAY_PORT: "80" })[0] ?? "",
      /^SHOP_PUBLIC_URL is the same location as PUBLIC_URL/u,
    );
    for (const path of ["/api", "/admin/x", "/a%20b", "/a//b"])
      assert.match(
        problemsOf({ AUTH_PUBLIC_URL: `https://example.org${path}` })[0] ?? "",
        /^AUTH_PUBLIC_URL takes a URL/u,
      );
    assert.match(problemsOf({ SHOP_PORT: "off" })[0] ?? "", /^GATEWAY_PORT is not set/u);
    const derived = { GATEWAY_PORT: "80", PUBLIC_URL: "https://example.org", SHOP_DEMO: "1" };
    assert.match(problemsOf(derived)[0] ?? "", /^SHOP_DEMO enables/u);
  });

  it("wants a database where processes meet", () => {
    const nats = "nats://user:word@one.example:4222,nats://two.example";
    assert.match(problemsOf({ NATS_URL: nats })[0] ?? "", /^DATABASE_URL is not set/u);
    const config = loadConfig({ NATS_URL: nats, DATABASE_URL: "postgres://db.example/trivet" });
    assert.deepEqual(config.nats, { url: nats, prefix: "trivet" });
    assert.equal(loadConfig({}).nats, undefined);
  });

  const wrongServers = [
    ",",
    "nats://a.example,tls://b.example",
    "nats://user:50%off@a.example",
    "nats://%:41@a.example",
    "nats://a.example/x",
  ];
  for (const url of wrongServers) {
    it(`takes no NATS_URL such as ${url}`, () => {
      const problems = problemsOf({ DATABASE_URL: "postgres://db.example/trivet", NATS_URL: url });
      assert.match(problems[0] ?? "", /^NATS_URL takes .+/u);
    });
  }

  it("refuses the demo payment in a shop that people reach over https", () => {
    const problems = problemsOf({ SHOP_DEMO: "1", SHOP_PUBLIC_URL: "https://shop.example.org" });
    assert.match(problems.join(), /^SHOP_DEMO enables demo payments/u);
    for (const SHOP_PUBLIC_URL of ["https://localhost:8081", "https://127.0.0.1", "http://shop.example.org"])
      assert.equal(loadConfig({ SHOP_DEMO: "1", SHOP_PUBLIC_URL }).shopDemo, true);
    const readOnly = { READ_ONLY: "1", SHOP_DEMO: "1", SHOP_PUBLIC_URL: "https://shop.example.org" };
    assert.equal(loadConfig(readOnly).shopDemo, true);
    assert.equal(loadConfig({}).shopDemo, undefined);
  });

  it("creates backups once there is a folder for them, a day apart by default", () => {
    assert.equal(loadConfig({ BACKUP_EVERY: "6" }).backups, undefined);
    assert.deepEqual(loadConfig({ BACKUP_DIR: "/b" }).backups, {
      folder: "/b",
      everyHours: 24,
      keep: 7,
      keys: false,
      recipients: [],
    });
    const given = { BACKUP_DIR: "data-backups", BACKUP_EVERY: "0", BACKUP_KEEP: "3", BACKUP_KEYS: "1" };
    assert.deepEqual(loadConfig(given).backups, {
      folder: "data-backups",
      everyHours: 0,
      keep: 3,
      keys: true,
      recipients: [],
    });
    assert.deepEqual(problemsOf({ BACKUP_DIR: "/x/", DATA_DIR: "/x" }).length, 1);
  });

  it("verifies stored data once a day by default", () => {
    assert.equal(loadConfig({}).scrubEveryHours, 24);
    assert.equal(loadConfig({ SCRUB_EVERY: "0" }).scrubEveryHours, 0);
  });

  it("names each variable that it reads", () => {
    const takeAnything = ["GRPC_TLS_CERT", "GRPC_TLS_KEY", "DATA_DIR", "NATS_CA"];
    for (const name of [...Object.keys(wrong), ...takeAnything]) assert.ok(configVariables.includes(name));
    assert.equal(configVariables.length, Object.keys(wrong).length + takeAnything.length);
  });

  it("asks the auth center where it listens, whatever HOST is", () => {
    const at = (HOST: string, more: Record<string, string> = {}) => loadConfig({ HOST, ...more }).authUrl;
    assert.equal(at("127.0.0.2"), "http://127.0.0.2:8082");
    assert.equal(at("::1"), "http://[::1]:8082");
    assert.equal(at("10.0.0.11"), "http://10.0.0.11:8082");
    for (const any of ["0.0.0.0", "::"]) assert.equal(at(any), "http://127.0.0.1:8082");
    assert.equal(at("::1", { GATEWAY_PORT: "8000", AUTH_PORT: "off" }), "http://[::1]:8000/auth");
    assert.equal(at("127.0.0.2", { AUTH_URL: "https://accounts.example" }), "https://accounts.example");
  });
});
