/** Who the machine is and how it connects: kept, given or fetched; and that it works over real TLS. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { saveIdentity } from "../../../src/agent/identity.ts";
import { createLink } from "../../../src/agent/connection/link.ts";
import { parseAgentSettings } from "../../../src/agent/options.ts";
import { type Registration, loadRegistration } from "../../../src/agent/connection/registration.ts";
import { createReportQueue } from "../../../src/agent/queue/report-queue.ts";
import { systemTimers } from "../../../src/agent/timers.ts";
import { createTransport } from "../../../src/agent/connection/transport.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";
import { isDeno } from "../../support/own-runtime.ts";
import { cert, key as privateKey } from "../../support/tls-pair.ts";
import { startEnrolService } from "../support/enrol-service.ts";
import { startGrpcService } from "../support/service.ts";
import { startTlsProxy } from "../support/tls-proxy.ts";

let folder: string;
let data: string;
let caFile: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-registration-"));
  data = join(folder, "data");
  await mkdir(data);
  caFile = join(folder, "ca.pem");
  await writeFile(caFile, cert);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As a start of the agent with this command line does it. */
async function load(...args: readonly string[]): Promise<Registration> {
  const parsed = parseAgentSettings(["--data", data, ...args], {});
  assert.ok(parsed.ok, parsed.ok ? "" : parsed.problems.join("; "));
  return loadRegistration(parsed.settings, {
    files: nodeFileLayer,
    hostname: "web-1",
    log: silentLog,
    lookUp,
  });
}

/** "a" and "b" are in the own network, "away" has no address now, every other name is elsewhere. */
async function lookUp(name: string): Promise<readonly string[]> {
  if (name === "away") throw new Error("EAI_AGAIN");
  return name === "a" || name === "b" ? ["10.0.0.7", "fd12::7"] : ["10.0.0.7", "203.0.113.7"];
}

const granted = { id: "s1", key: "agk_1", server: "mon.example:443" };

async function enrolWith(answer: Record<string, unknown>, ...args: readonly string[]): Promise<Registration> {
  const service = await startEnrolService({ status: 201, body: { ...granted, ...answer } });
  try {
    return await load("--enrol", "enr_1", "--url", service.url, ...args);
  } finally {
    await service.close();
  }
}

describe("loadRegistration", () => {
  it("takes a whole command line without touching the data folder", async () => {
    const args = ["--server", "a:1", "--id", "x", "--key", "k"];
    const plain = { id: "x", key: "k", server: "a:1" };
    await saveIdentity(nodeFileLayer, data, { ...granted, tls: true, ca: cert });
    assert.deepEqual(await load(...args), plain);
    assert.deepEqual(await load(...args, "--tls"), { ...plain, tls: {} });
    assert.deepEqual((await load(...args, "--ca", caFile)).tls?.ca?.trim(), cert.trim());
  });

  it("warns at each start of a connection in the clear to a host outside of the own network", async () => {
    const warnings: unknown[] = [];
    const log = { ...silentLog, warn: (_text: string, fields?: unknown) => void warnings.push(fields) };
    for (const server of [
      "127.0.0.1:1",
      "10.0.0.7:1",
      "[fd12::1]:1",
      "localhost:1",
      "b:1",
      "away:1",
      "mon.example:1",
      "8.8.8.8:1",
    ])
      for (const tls of ["--tls", "--no-tls"]) {
        const parsed = parseAgentSettings(["--server", server, "--id", "x", "--key", "k", tls], {});
        if (!parsed.ok) assert.fail(parsed.problems.join("; "));
        await loadRegistration(parsed.settings, { files: nodeFileLayer, hostname: "web-1", log, lookUp });
      }
    const expected = ["away:1", "mon.example:1", "8.8.8.8:1"];
    assert.deepEqual(
      warnings,
      expected.map((server) => ({ server })),
    );
  });

  it("says what is missing when nothing tells who this machine is", async () => {
    await assert.rejects(load(), /not enrolled yet\. Use --enrol and --url, or --server, --id and --key/u);
  });

  describe("with a code on a machine that is enrolled", () => {
    const before = { id: "s0", key: "agk_0", server: "a:1", tls: false, insecure: true };

    async function loadWithCode(status: number, body: Record<string, unknown>) {
      await saveIdentity(nodeFileLayer, data, before);
      const service = await startEnrolService({ status, body });
      try {
        const loaded = await load("--enrol", "enr_1", "--url", service.url);
        return { loaded, sent: service.requests.map((request): unknown => JSON.parse(request.body)) };
      } finally {
        await service.close();
      }
    }

    it("shows who it is, and becomes what the code gives", async () => {
      const { loaded, sent } = await loadWithCode(201, { ...granted, tls: true });
      assert.deepEqual(loaded, { ...granted, tls: {} });
      assert.deepEqual(sent, [{ code: "enr_1", hostname: "web-1", present: { id: "s0", key: "agk_0" } }]);
      assert.deepEqual(await load(), { ...granted, tls: {} });
    });

    it("stays as it is when the service says so", async () => {
      const { loaded } = await loadWithCode(200, { id: "s0", server: "mon.example:443", tls: true });
      assert.deepEqual(loaded, { id: "s0", key: "agk_0", server: "a:1" });
      assert.deepEqual(JSON.parse(await readFile(join(data, "identity.json"), "utf8")), before);
    });

    it("goes on as it was when the code is used up or the service is away", async () => {
      for (const status of [401, 429, 503]) {
        const { loaded } = await loadWithCode(status, { detail: "no" });
        assert.deepEqual(loaded, { id: "s0", key: "agk_0", server: "a:1" });
      }
      assert.equal((await load("--enrol", "enr_1", "--url", "http://127.0.0.1:1")).id, "s0");
    });
  });

  it("keeps what the service said of TLS for the next start", async () => {
    const expected = { ...granted, tls: {} };
    assert.deepEqual(await enrolWith({ tls: true }), expected);
    assert.deepEqual(await load(), expected);
  });

  it("keeps the authority itself, so that its file may go", async () => {
    await enrolWith({ tls: true }, "--ca", caFile);
    await rm(caFile);
    const { tls } = await load();
    assert.equal(tls?.ca?.trim(), cert.trim());
  });

  it("keeps nothing but certificates of the file", async () => {
    await writeFile(caFile, `${privateKey}${cert}${cert}`);
    await enrolWith({ tls: true }, "--ca", caFile);
    const kept = await readFile(join(data, "identity.json"), "utf8");
    assert.ok(!kept.includes("PRIVATE KEY"));
    assert.equal(kept.split("BEGIN CERTIFICATE").length - 1, 2);
  });

  it("lets the command line go before what the service said, also at the next start", async () => {
    assert.deepEqual(await enrolWith({ tls: true }, "--no-tls", "--server", "b:2"), {
      ...granted,
      server: "b:2",
    });
    assert.equal((await load()).tls, undefined);
    assert.deepEqual(await load("--tls", "--server", "c:3"), { ...granted, server: "c:3", tls: {} });
  });

  it("does not turn encryption off because another address was given", async () => {
    await enrolWith({ tls: true });
    assert.deepEqual(await load("--server", "b:2"), { ...granted, server: "b:2", tls: {} });
  });

  it("refuses a stream in the clear beyond the own network, also later, but keeps the identity", async () => {
    const refusal = /"mon\.example:443".*--tls \(TRIVET_TLS=1\), or with --insecure \(TRIVET_INSECURE=1\)/u;
    await assert.rejects(enrolWith({ tls: false }), refusal);
    await assert.rejects(load(), refusal);
    assert.deepEqual(await load("--tls"), { ...granted, tls: {} });
    assert.deepEqual(await load("--insecure"), granted);
    // Started without a network, when the service seemed to be in the local one.
    assert.deepEqual(await load("--server", "away:1"), { ...granted, server: "away:1" });
  });

  it("enrols for no stream in the clear to a name that has no address", async () => {
    await assert.rejects(enrolWith({ server: "away:1" }), /"away:1" may leave your own network/u);
  });

  it("remembers that a stream in the clear was accepted", async () => {
    assert.deepEqual(await enrolWith({ tls: false }, "--insecure"), granted);
    assert.deepEqual(await load(), granted);
  });

  it("takes a service that says nothing of TLS, and identities of older agents, as before", async () => {
    assert.equal((await enrolWith({}, "--server", "a:1")).tls, undefined);
    await saveIdentity(nodeFileLayer, data, granted);
    assert.deepEqual(await load(), granted);
    assert.deepEqual(await load("--tls"), { ...granted, tls: {} });
  });

  it("lets what --ca implies give way to what the monitor says at enrolment, and to nothing else", async () => {
    const local = { server: "a:1" };
    assert.equal((await enrolWith({ ...local, tls: false }, "--ca", caFile)).tls, undefined);
    assert.equal((await load("--ca", caFile)).tls, undefined);
    assert.notEqual((await load("--ca", caFile, "--tls")).tls, undefined);
    await enrolWith({ ...local, key: "agk_2", tls: false }, "--insecure");
    assert.notEqual((await load("--ca", caFile)).tls, undefined);
    assert.notEqual((await enrolWith({ ...local, key: "agk_3" }, "--ca", caFile)).tls, undefined);
  });

  it("says what is wrong with the file of --ca before it asks the service", async () => {
    const service = await startEnrolService({ status: 201, body: granted });
    const enrol = ["--enrol", "enr_1", "--url", service.url, "--ca"];
    try {
      await assert.rejects(load(...enrol, join(folder, "none.pem")), /none\.pem", cannot be read/u);
      const wrong = ["hello", privateKey, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"];
      for (const text of wrong) {
        await writeFile(caFile, text);
        await assert.rejects(load(...enrol, caFile), /does not contain a PEM certificate/u);
      }
      assert.deepEqual(service.requests, []);
    } finally {
      await service.close();
    }
  });
});

/** Connects as the agent does, until one report is acknowledged. */
async function reportOnce({ id, key, server, tls }: Registration): Promise<void> {
  const reports = createReportQueue({ limit: 10 });
  reports.add({ collectedAtUnixMs: 1_800_000_000_000, payloadJson: '{"v":1}' });
  const stop = new AbortController();
  let offline: string | undefined;
  const link = createLink({
    identity: { serverId: id, agentKey: key, hostname: "web-1" },
    reports,
    open: createTransport({ address: server, ...(tls === undefined ? {} : { tls }) }),
    clock: systemClock,
    timers: systemTimers,
    log: silentLog,
    random: () => 0.5,
    events: {
      onAcknowledged: () => stop.abort(),
      onOffline: (reason) => {
        offline = reason;
        stop.abort();
      },
    },
  });
  await link.run(stop.signal);
  if (offline !== undefined) throw new Error(offline);
}

describe("an agent with an authority of its own", () => {
  // grpc-js cannot serve TLS on Deno; there a proxy terminates it, here both do.
  const fronts = ["a proxy", ...(isDeno ? [] : ["the port itself"])];
  for (const front of fronts) {
    it(`enrols over HTTPS and reports over TLS to ${front}, later with its data folder alone`, async () => {
      const direct = front === "the port itself";
      const grpc = await startGrpcService({ key: "agk_1", tls: direct });
      const grpcPort = Number(grpc.address.split(":")[1]);
      const proxy = await startTlsProxy(grpcPort);
      const port = direct ? grpcPort : proxy.port;
      const body = { id: "s1", key: "agk_1", server: `localhost:${port}`, tls: true };
      const service = await startEnrolService({ status: 201, body, https: true });
      try {
        await reportOnce(await load("--enrol", "enr_1", "--url", service.url, "--ca", caFile));
        await rm(caFile);
        await reportOnce(await load());
        assert.equal(grpc.arrivals.flat().length, 2);
        await assert.rejects(reportOnce(await load("--no-tls")));
        const { id, key, server } = await load();
        await assert.rejects(reportOnce({ id, key, server, tls: {} }), /certificate/u);
      } finally {
        await service.close();
        proxy.close();
        await grpc.close();
      }
    });
  }
});
