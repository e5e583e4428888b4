/**
 * `npm run probes`: our probes beside Debian's prometheus-blackbox-exporter at the same targets, more than fifty, while faults come
 * and go: whether both find the same ones up, and the same ends of certificates. `-- --minutes 10 --pause 15`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer as createHttp, type Server as HttpServer } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { ProbeResult } from "../../../src/kit/probes/probe.ts";
import { runProbe } from "../../../src/kit/probes/probes.ts";
import { targetSchema } from "../../../src/kit/probes/targets.ts";
import { textOf } from "../../../src/kit/thrown.ts";
import { findFreePorts } from "../../support/free-ports.ts";
import { type CertificateName, certificateNames, makeCertificates } from "./certificates.ts";
import { type LabPorts, type LabTarget, planTargets, TIMEOUT_MS } from "./plan.ts";
import { findMissingPackages, isBad, startExporter, startWorld } from "./programs.ts";
import { findMetric } from "../read-metric.ts";

/** Probes of each side at once. */
const AT_ONCE = 8;
/** Until everything that turns has turned. */
const SETTLE_MS = 2_500;
/** So many rounds, and the faults are others. */
const ROUNDS_A_PHASE = 2;

/** Down for both could also mean that a program did not start. */
const MUST_BE_UP = new Set(["http 200", "https good", "tls good", "dns A right", "tcp nginx"]);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A port that is open or closed as told. */
class TurningPort {
  readonly port: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  constructor(port: number) {
    this.port = port;
  }

  async set(isOpen: boolean): Promise<void> {
    if (isOpen === (this.#server !== undefined)) return;
    const server = this.#server ?? createServer();
    this.#server = isOpen ? server : undefined;
    if (!isOpen) {
      for (const socket of this.#sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    }
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
  }
}

async function startDrip(port: number): Promise<HttpServer> {
  const server = createHttp((_request, response) => {
    const timer = setInterval(() => response.write("a"), 100);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

interface Seen {
  readonly isUp: boolean;
  readonly latencyMs: number;
  /** Epoch seconds. */
  readonly certificateEnd: number | undefined;
  readonly detail: string;
}

async function askExporter(
  port: number,
  { index, target }: { index: number; target: string },
): Promise<Seen> {
  const query = new URLSearchParams({ module: `m${index}`, target });
  const text = await (await fetch(`http://127.0.0.1:${port}/probe?${query}`)).text();
  const end = findMetric(text, "probe_ssl_earliest_cert_expiry");
  return {
    isUp: findMetric(text, "probe_success") === 1,
    latencyMs: (findMetric(text, "probe_duration_seconds") ?? 0) * 1_000,
    // A date in the year 1 is the exporter's "none".
    certificateEnd: end === undefined || end < 0 ? undefined : end,
    detail: `status ${findMetric(text, "probe_http_status_code") ?? "none"}`,
  };
}

async function askOurs(target: object, ca: string): Promise<Seen> {
  const startedAt = performance.now();
  const result: ProbeResult = await runProbe(targetSchema.parse(target), {
    rules: { allowPrivate: true, privateRemedy: "" },
    userAgent: "Trivet/lab",
    timeoutMs: TIMEOUT_MS,
    signal: new AbortController().signal,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    ca,
  });
  const { fault, detail, latencyMs, certificate } = result;
  return {
    isUp: fault === undefined,
    latencyMs: latencyMs ?? performance.now() - startedAt,
    certificateEnd: certificate === undefined ? undefined : certificate.validTo / 1_000,
    detail: `${fault ?? "up"}: ${detail}`,
  };
}

interface Tally {
  readonly name: string;
  ups: number;
  downs: number;
  certificates: number;
  readonly disagreements: string[];
  readonly ours: number[];
  readonly theirs: number[];
}

function compare(tally: Tally, { ours, theirs }: { ours: Seen; theirs: Seen }): void {
  if (theirs.isUp) tally.ups += 1;
  else tally.downs += 1;
  if (ours.isUp !== theirs.isUp)
    tally.disagreements.push(
      `ours ${ours.detail}; exporter ${theirs.isUp ? "up" : "down"}, ${theirs.detail}`,
    );
  if (ours.isUp && theirs.isUp) {
    tally.ours.push(ours.latencyMs);
    tally.theirs.push(theirs.latencyMs);
  }
  if (ours.certificateEnd === undefined || theirs.certificateEnd === undefined) return;
  tally.certificates += 1;
  if (ours.certificateEnd !== theirs.certificateEnd)
    tally.disagreements.push(`certificate: ours ${ours.certificateEnd}, exporter ${theirs.certificateEnd}`);
}

async function runRound(
  targets: readonly LabTarget[],
  { tallies, exporter, ca }: { tallies: readonly Tally[]; exporter: number; ca: string },
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < targets.length; index = next++) {
      const [target, tally] = [targets[index], tallies[index]];
      if (target === undefined || tally === undefined) return;
      const theirs = await askExporter(exporter, { index, target: target.blackboxTarget });
      compare(tally, { ours: await askOurs(target.target, ca), theirs });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function median(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return middle === undefined ? "–" : middle.toFixed(1);
}

function print(tallies: readonly Tally[]): void {
  const rows = tallies.map((tally) => [
    tally.name.padEnd(26),
    String(tally.ups).padStart(5),
    String(tally.downs).padStart(5),
    String(tally.certificates).padStart(6),
    String(tally.disagreements.length).padStart(8),
    median(tally.ours).padStart(8),
    median(tally.theirs).padStart(8),
  ]);
  const head = ["target".padEnd(26), "   up", " down", " certs", " differs", " ours ms", "exporter"];
  console.log([head, ...rows].map((row) => row.join(" ")).join("\n"));
  for (const { name, disagreements } of tallies)
    for (const text of new Set(disagreements)) console.log(`differs: ${name}: ${text}`);
  const all = { ours: tallies.flatMap(({ ours }) => ours), theirs: tallies.flatMap(({ theirs }) => theirs) };
  const looks = tallies.reduce((sum, { ups, downs }) => sum + ups + downs, 0);
  const differing = tallies.reduce((sum, { disagreements }) => sum + disagreements.length, 0);
  const certificates = tallies.reduce((sum, tally) => sum + tally.certificates, 0);
  const downs = tallies.reduce((sum, tally) => sum + tally.downs, 0);
  console.log(
    `${looks} looks at ${tallies.length} targets, ${downs} of them down, ${certificates} certificates compared: ` +
      `${differing} disagreements. Medians of what is up: ours ${median(all.ours)} ms, exporter ${median(all.theirs)} ms`,
  );
}

async function pickPorts(): Promise<LabPorts & { exporter: number }> {
  const [
    exporter = 0,
    plain = 0,
    names = 0,
    silent = 0,
    drip = 0,
    closed = 0,
    certificateTurning = 0,
    ...rest
  ] = await findFreePorts(16);
  const ports = certificateNames.map((name, index): [CertificateName, number] => [name, rest[index] ?? 0]);
  // `as`: one entry a name, by the line above.
  const secure = Object.fromEntries(ports) as Record<CertificateName, number>;
  const turning = rest.slice(certificateNames.length, certificateNames.length + 3);
  return {
    exporter,
    web: { plain, secure, turning: certificateTurning },
    names,
    silent,
    drip,
    closed,
    turning,
  };
}

async function main(
  folder: string,
  { minutes, pauseMs }: { minutes: number; pauseMs: number },
): Promise<number> {
  const ca = await makeCertificates(folder);
  const ports = await pickPorts();
  const targets = planTargets(folder, ports);
  const undo: (() => unknown)[] = [];
  try {
    const silent = new TurningPort(ports.silent);
    await silent.set(true);
    const drip = await startDrip(ports.drip);
    undo.push(
      () => drip.closeAllConnections(),
      () => drip.close(),
      () => silent.set(false),
    );
    const turning = ports.turning.map((port) => new TurningPort(port));
    undo.push(() => Promise.all(turning.map((port) => port.set(false))));
    const world = await startWorld(folder, ports);
    undo.push(() => world.stop());
    const modules = Object.fromEntries(targets.map(({ module }, index) => [`m${index}`, module]));
    const exporter = await startExporter(folder, { port: ports.exporter, modules });
    undo.push(() => exporter.stop());
    const tallies = targets.map(({ name }): Tally => ({
      name,
      ups: 0,
      downs: 0,
      certificates: 0,
      disagreements: [],
      ours: [],
      theirs: [],
    }));
    const endMs = performance.now() + minutes * 60_000;
    for (let round = 0; round === 0 || performance.now() < endMs; round += 1) {
      const phase = Math.floor(round / ROUNDS_A_PHASE);
      if (round % ROUNDS_A_PHASE === 0) {
        await world.turn(phase);
        for (const [index, port] of turning.entries()) await port.set(!isBad(phase, index));
        await pause(SETTLE_MS);
      }
      await runRound(targets, { tallies, exporter: ports.exporter, ca });
      if (performance.now() < endMs) await pause(pauseMs);
    }
    print(tallies);
    const neverUp = tallies.filter(({ name, ups }) => ups === 0 && MUST_BE_UP.has(name));
    for (const { name } of neverUp) console.log(`never up, so nothing was compared: ${name}`);
    return neverUp.length > 0 || tallies.some(({ disagreements }) => disagreements.length > 0) ? 1 : 0;
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, pause: { type: "string", default: "5" } },
});
const missing = findMissingPackages();
if (missing.length > 0) {
  console.log(
    `Skipped: ${missing.join(", ")} is not here (apt-get install --no-install-recommends ${missing.join(" ")})`,
  );
} else {
  const folder = await mkdtemp(join(tmpdir(), "trivet-probes-"));
  try {
    process.exitCode = await main(folder, {
      minutes: Number(values.minutes),
      pauseMs: Number(values.pause) * 1_000,
    });
  } catch (error) {
    console.error(textOf(error));
    process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
