import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { afterEach, describe, it } from "node:test";
import { describeTarget } from "../../../src/kit/probes/probes.ts";
import { targetSchema } from "../../../src/kit/probes/targets.ts";
import { until } from "../../support/eventually.ts";
import { ended, good, manyNames, otherName, type Pair, selfSigned } from "./certificates.ts";
import { findClosedPort, look, sayResult, serveHttp, serveTcp, type TargetServer } from "./targets.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

async function started(server: Promise<TargetServer>): Promise<TargetServer> {
  const { close } = await server;
  cleanUp.push(close);
  return server;
}

const startTls = (pair: Pair): Promise<TargetServer> =>
  started(serveHttp((_request, response) => response.end(), pair));

/** So long that a connection on this machine comes first. */
const SHORT = { timeoutMs: 400 };
const noPrivate = { rules: { allowPrivate: false, privateRemedy: "set the switch" } };

describe("TCP probes", () => {
  it("connect, and leave nothing open", async () => {
    const server = await started(serveTcp());
    const target = { kind: "tcp", host: "db.example", port: server.port };
    const result = await look(target);
    assert.equal(sayResult(result), `up | Connected to 127.0.0.1:${server.port}`);
    assert.ok(result.latencyMs !== undefined);
    await until(() => server.open() === 0);
    assert.equal(server.received(), "");
  });

  it("name what keeps them from it", async () => {
    const closed = { kind: "tcp", host: "db.example", port: await findClosedPort() };
    assert.equal(sayResult(await look(closed)), "refused | The connection was refused (ECONNREFUSED)");
    assert.equal((await look(closed, noPrivate)).fault, "forbidden");
    const nobody = { lookup: () => Promise.reject(new Error("no")) };
    assert.equal((await look(closed, nobody)).fault, "dns");
  });

  it("are said by name and port", () => {
    const say = (target: object): string => describeTarget(targetSchema.parse(target));
    assert.equal(say({ kind: "tcp", host: "db.example", port: 5_432 }), "db.example:5432");
    assert.equal(say({ kind: "tcp", host: "2001:db8::1", port: 22 }), "[2001:db8::1]:22");
    assert.equal(say({ kind: "tls", host: "example.org" }), "TLS example.org:443");
    assert.equal(say({ kind: "ping", host: "example.org" }), "ping example.org:443 by TCP");
    assert.equal(say({ kind: "ping", host: "example.org", way: "icmp" }), "ping example.org");
  });
});

describe("TLS probes", () => {
  it("show who signed a certificate for whom, and until when", async () => {
    const server = await startTls(good);
    const result = await look({ kind: "tls", host: "localhost", port: server.port });
    assert.match(sayResult(result), /^up \| TLSv1\.\d, \d+ days left, of Test Authority$/u);
    assert.deepEqual(result.certificate, {
      subject: "localhost",
      issuer: "Test Authority",
      names: ["localhost", "127.0.0.1"],
      validFrom: Date.UTC(2026, 0, 1),
      validTo: Date.UTC(2126, 0, 1),
      isTrusted: true,
    });
  });

  it("judge date, name and chain, and show what they refuse", async () => {
    const cases: readonly [Pair, object, RegExp | undefined][] = [
      [ended, {}, /^The certificate expired on 2021-01-01$/u],
      [ended, { ignoresChain: true }, /^The certificate expired on 2021-01-01$/u],
      [otherName, {}, /^The certificate is not valid for "localhost"$/u],
      [otherName, { ignoresChain: true }, /^The certificate is not valid for "localhost"$/u],
      [otherName, { serverName: "other.example" }, undefined],
      [selfSigned, {}, /^The certificate is not trusted/u],
      [selfSigned, { ignoresChain: true }, undefined],
    ];
    for (const [pair, more, expected] of cases) {
      const server = await startTls(pair);
      const result = await look({ kind: "tls", host: "localhost", port: server.port, ...more });
      assert.equal(result.fault, expected === undefined ? undefined : "certificate", result.detail);
      if (expected !== undefined) assert.match(result.detail, expected);
      assert.ok(result.certificate !== undefined);
      await until(() => server.open() === 0);
    }
  });

  it("trust no unknown issuer", async () => {
    const server = await startTls(good);
    const target = { kind: "tls", host: "localhost", port: server.port };
    const result = await look(target, { ca: selfSigned.cert });
    assert.equal(result.fault, "certificate");
    assert.equal(result.certificate?.isTrusted, false);
  });

  it("say when one that is good ends soon, or is not yet good", async () => {
    const server = await startTls(good);
    const target = { kind: "tls", host: "localhost", port: server.port, certificateDays: 14 };
    const at = (now: number): object => ({ clock: { now: () => now, monotonic: () => performance.now() } });
    const soon = await look(target, at(Date.UTC(2125, 11, 31, 12)));
    assert.equal(sayResult(soon), "certificate_ends | The certificate expires on 2126-01-01, in 0 days");
    assert.equal(
      (await look({ ...target, certificateDays: 0 }, at(Date.UTC(2125, 11, 31, 12)))).fault,
      undefined,
    );
    // A certificate that expires soon is no reason for down unless the check requires it.
    const usual = { ...target, certificateDays: undefined };
    assert.equal((await look(usual, at(Date.UTC(2125, 11, 31, 12)))).fault, undefined);
    const early = await look(target, at(Date.UTC(2025, 0, 1)));
    assert.equal(sayResult(early), "certificate | The certificate is not valid before 2026-01-01");
  });

  it("show 20 names at most", async () => {
    const server = await startTls(manyNames);
    const { certificate } = await look({ kind: "tls", host: "host-250.example", port: server.port });
    assert.equal(certificate?.isTrusted, true);
    assert.equal(certificate.names.length, 20);
  });

  it("tell silence and other protocols from TLS", async () => {
    const silent = await started(serveTcp());
    const hanging = await look({ kind: "tls", host: "localhost", port: silent.port }, SHORT);
    assert.equal(sayResult(hanging), "timeout | No response within 0.4 s, during the TLS handshake");
    const plain = await started(serveTcp((socket) => void socket.end("220 mail.example ESMTP\r\n")));
    const other = await look({ kind: "tls", host: "localhost", port: plain.port });
    assert.ok(["tls", "reset"].includes(other.fault ?? ""), sayResult(other));
    assert.equal(
      (await look({ kind: "tls", host: "localhost", port: plain.port }, noPrivate)).fault,
      "forbidden",
    );
  });
});

/** Puts a program of that name before all others. */
async function installPing(script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-ping-"));
  const path = process.env["PATH"];
  cleanUp.push(async () => {
    process.env["PATH"] = path;
    await rm(folder, { recursive: true, force: true });
  });
  await writeFile(
    join(folder, "ping"),
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/arguments"\n${script}\n`,
  );
  await chmod(join(folder, "ping"), 0o755);
  process.env["PATH"] = `${folder}${delimiter}${path ?? ""}`;
  return folder;
}

describe("Ping probes", () => {
  it("by TCP take a refusal for an answer", async () => {
    const server = await started(serveTcp());
    const open = await look({ kind: "ping", host: "box.example", port: server.port });
    assert.equal(sayResult(open), `up | 127.0.0.1 accepted a connection on port ${server.port}`);
    const port = await findClosedPort();
    const refused = await look({ kind: "ping", host: "box.example", port });
    assert.equal(sayResult(refused), `up | Refused the connection on port ${port}, so the host is up`);
    assert.ok(refused.latencyMs !== undefined);
    assert.equal((await look({ kind: "ping", host: "box.example", port }, noPrivate)).fault, "forbidden");
  });

  it("by ICMP run ping once with the checked address", async () => {
    const folder = await installPing("echo '64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.042 ms'");
    const result = await look({ kind: "ping", host: "box.example", way: "icmp" });
    assert.equal(sayResult(result), "up | 127.0.0.1 replied to ping");
    assert.equal(result.latencyMs, 0.042);
    const given = (await readFile(join(folder, "arguments"), "utf8")).trim().split("\n");
    assert.equal(given.at(-1), "127.0.0.1");
    assert.ok(given.join(" ").startsWith("-n -c 1 "));
  });

  it("give the program no name, so that none can be an option or a command", async () => {
    for (const host of ["-f", "--help", "$(id)", "a;b", "a b", "a\nb"])
      assert.equal(targetSchema.safeParse({ kind: "ping", host, way: "icmp" }).success, false, host);
    // A lying resolver: what is not an address is never contacted.
    const folder = await installPing("exit 0");
    const lookup = (): Promise<readonly string[]> => Promise.resolve(["-f"]);
    assert.equal(
      (await look({ kind: "ping", host: "box.example", way: "icmp" }, { lookup })).fault,
      "forbidden",
    );
    await assert.rejects(readFile(join(folder, "arguments")));
  });

  it("by ICMP tell silence, and a place that cannot ask", async () => {
    const target = { kind: "ping", host: "box.example", way: "icmp" };
    await installPing("exit 1");
    assert.equal(sayResult(await look(target)), "timeout | No ping reply from 127.0.0.1");
    await installPing("echo 'ping: socket: Operation not permitted' >&2; exit 2");
    assert.equal((await look(target)).fault, "unsupported");
    const path = process.env["PATH"];
    process.env["PATH"] = "/nonexistent";
    const none = await look(target);
    process.env["PATH"] = path;
    assert.match(
      sayResult(none),
      /^unsupported \| There is no ping program here: install it .*, or choose TCP$/u,
    );
  });

  it("by ICMP end a program that hangs or never stops talking", async () => {
    const target = { kind: "ping", host: "box.example", way: "icmp" };
    await installPing("exec sleep 60");
    assert.equal((await look(target, SHORT)).fault, "timeout");
    await installPing("exec cat /dev/zero");
    assert.equal((await look(target, SHORT)).fault, "timeout");
  });
});
