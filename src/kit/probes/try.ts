/** One try at a target: its time, its steps, its addresses, and what a failure of any kind is called. */
import { isIP } from "node:net";
import { findAddressFault } from "../outbound/allowed-networks.ts";
import { lookUpAll } from "../outbound/look-up.ts";
import { Http2Error } from "../outbound/http2-exchange.ts";
import { ExchangeError } from "../outbound/outbound-exchange.ts";
import { MAX_ADDRESSES } from "../outbound/try-addresses.ts";
import { ProxyError } from "../outbound/tunnel.ts";
import { codeOf, textOf } from "../thrown.ts";
import type { ProbeContext, ProbeFault, ProbeResult } from "./probe.ts";

const MAX_DETAIL = 200;
/** How often it is seen whether timers of this process are late. */
const SAMPLE_MS = 200;
/** A time-out says nothing of the target when the process had no time for so much of it. */
const BUSY_SHARE = 0.25;

/** The try ends here, with what was found. */
export class ProbeFailure extends Error {
  override readonly name = "ProbeFailure";
  readonly fault: ProbeFault;
  /** Other results so far. */
  readonly found: Pick<ProbeResult, "certificate" | "latencyMs">;

  constructor(fault: ProbeFault, detail: string, found: Pick<ProbeResult, "certificate" | "latencyMs"> = {}) {
    super(detail);
    this.fault = fault;
    this.found = found;
  }
}

type Phase = keyof NonNullable<ProbeResult["phases"]>;

const waitingFor: Readonly<Record<Phase, string>> = {
  dns: "during the DNS lookup",
  connect: "while connecting",
  tls: "during the TLS handshake",
  firstByte: "while waiting for the response",
  body: "while reading the response",
};

/** One line of at most 200 characters, whatever the target said. */
function toDetail(text: string): string {
  const single = text.replace(/[\p{C}\s\u2028\u2029]+/gu, " ").trim();
  return single.length <= MAX_DETAIL
    ? single
    : `${single.slice(0, MAX_DETAIL - 1).replace(/\p{Surrogate}$/u, "")}…`;
}

/** One try, from its beginning to its end. */
export class Try {
  readonly context: ProbeContext;
  /** Ends when the time is over, or the place stops. */
  readonly signal: AbortSignal;
  readonly phases: Partial<Record<Phase, number>> = {};
  readonly #limit = new AbortController();
  #startedAt: number;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #stop = (): void => this.#limit.abort();
  readonly #sampler: ReturnType<typeof setInterval>;
  #sampledAt: number;
  /** How long this process had no time for its work, milliseconds. */
  #lostMs = 0;
  #phase: Phase;
  #phaseAt: number;

  constructor(context: ProbeContext, phase: Phase = "connect") {
    this.context = context;
    this.signal = this.#limit.signal;
    this.#startedAt = context.clock.monotonic();
    this.#phase = phase;
    this.#phaseAt = this.#startedAt;
    this.#sampledAt = this.#startedAt;
    this.#sampler = setInterval(() => this.#sample(), SAMPLE_MS);
    // An answer that came while the process was busy is read before the time counts as over.
    this.#timer = setTimeout(() => setImmediate(this.#stop), context.timeoutMs);
    if (context.signal.aborted) this.#stop();
    else context.signal.addEventListener("abort", this.#stop, { once: true });
  }

  #sample(): void {
    const now = this.context.clock.monotonic();
    this.#lostMs += Math.max(0, now - this.#sampledAt - SAMPLE_MS);
    this.#sampledAt = now;
  }

  /** Whether the time was over because this process was busy with something else. */
  #wasBusy(): boolean {
    this.#sample();
    return this.#lostMs >= this.context.timeoutMs * BUSY_SHARE;
  }

  /** Since the beginning, milliseconds. */
  elapsedMs(): number {
    return Math.max(0, this.context.clock.monotonic() - this.#startedAt);
  }

  /** Restarts the timing: earlier steps, such as requesting an access token, do not count as latency. The timeout stays. */
  restart(): void {
    this.#startedAt = this.context.clock.monotonic();
    for (const phase of Object.keys(this.phases)) Reflect.deleteProperty(this.phases, phase);
  }

  /** From here on time counts for that phase. */
  begin(phase: Phase): void {
    const now = this.context.clock.monotonic();
    this.#phase = phase;
    this.#phaseAt = now;
  }

  /** The phase is over; one that comes again, after a redirect, adds up. */
  finish(phase: Phase): void {
    const ms = Math.max(0, this.context.clock.monotonic() - this.#phaseAt);
    this.phases[phase] = (this.phases[phase] ?? 0) + ms;
  }

  /** Rejects when the time is over before `work` is. */
  async race<T>(work: Promise<T>): Promise<T> {
    let onAbort = (): void => undefined;
    const over = new Promise<never>((_resolve, reject) => {
      onAbort = () => reject(new Error("The request timed out"));
      if (this.signal.aborted) onAbort();
      else this.signal.addEventListener("abort", onAbort, { once: true });
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      this.signal.removeEventListener("abort", onAbort);
    }
  }

  /** Of an address that is not connected to from here; a name is none. @throws ProbeFailure when it is forbidden */
  checkAddress(host: string): void {
    if (isIP(host) === 0) return;
    const fault = findAddressFault(host, { ...this.context.rules, addresses: [host] });
    if (fault !== undefined) throw new ProbeFailure("forbidden", fault);
  }

  /** Addresses of a name, each allowed, that are connected to without another look-up. @throws ProbeFailure */
  async findAddresses(host: string): Promise<readonly string[]> {
    const found = isIP(host) === 0 ? await this.#lookUp(host) : [host];
    const fault = findAddressFault(host, { ...this.context.rules, addresses: found });
    if (fault !== undefined) throw new ProbeFailure("forbidden", fault);
    return found.slice(0, MAX_ADDRESSES);
  }

  async #lookUp(name: string): Promise<readonly string[]> {
    const { lookup = lookUpAll } = this.context;
    this.begin("dns");
    try {
      const found = await this.race(lookup(name));
      this.finish("dns");
      if (found.length > 0) return found;
    } catch (error) {
      if (this.signal.aborted) throw error;
    }
    throw new ProbeFailure("dns", `The name "${name}" has no IP address`);
  }

  /** The failure of a try that ended in an error. */
  toFailure(error: unknown): ProbeFailure {
    if (error instanceof ProbeFailure) return error;
    if (this.context.signal.aborted) return new ProbeFailure("timeout", "Canceled before a response arrived");
    if (this.signal.aborted && this.#wasBusy())
      return new ProbeFailure("unsupported", "This location was too busy to run the check in time");
    if (this.signal.aborted)
      return new ProbeFailure(
        "timeout",
        `No response within ${this.context.timeoutMs / 1_000} s, ${waitingFor[this.#phase]}`,
      );
    return explain(error instanceof ExchangeError ? error.cause : error);
  }

  /** Frees what the try holds. */
  end(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#sampler);
    this.context.signal.removeEventListener("abort", this.#stop);
    this.#limit.abort();
  }
}

const faultsOfCodes: Readonly<Record<string, readonly [ProbeFault, string]>> = {
  ECONNREFUSED: ["refused", "The connection was refused"],
  ECONNRESET: ["reset", "The connection was reset"],
  EPIPE: ["reset", "The connection was reset"],
  ECONNABORTED: ["reset", "The connection was reset"],
  ENETUNREACH: ["unreachable", "The network is unreachable"],
  EHOSTUNREACH: ["unreachable", "The host is unreachable"],
  EHOSTDOWN: ["unreachable", "The host is unreachable"],
  ENETDOWN: ["unreachable", "The network of this location is down"],
  EADDRNOTAVAIL: ["unreachable", "This location has no IP address of that family"],
  ETIMEDOUT: ["timeout", "The connection timed out"],
  EACCES: ["unsupported", "This location is not permitted to open the connection"],
  EPERM: ["unsupported", "This location is not permitted to open the connection"],
  EMFILE: ["unsupported", "This location has too many open files"],
  ENFILE: ["unsupported", "This location has too many open files"],
  ENOBUFS: ["unsupported", "This location has no memory left for connections"],
};

const CERTIFICATE = /CERT|ISSUER|SIGNATURE|INVALID_CA|ALTNAME|UnknownIssuer|certificate/u;

/** The first frame of a server that speaks HTTP/2 without TLS: SETTINGS of stream 0 (RFC 9113 section 3.4). */
function isHttp2(error: unknown): boolean {
  const bytes: unknown = error instanceof Error && "rawPacket" in error ? error.rawPacket : undefined;
  return bytes instanceof Uint8Array && bytes[0] === 0 && bytes[3] === 4 && bytes[4] === 0 && bytes[8] === 0;
}

/** A proxy that is not there, or refuses, says nothing of the target. */
function explainProxy({ message, reached, cause }: ProxyError): ProbeFailure {
  const code = codeOf(cause);
  return new ProbeFailure(
    reached ? "unreachable" : "unsupported",
    code === undefined ? message : `${message} (${code})`,
  );
}

function explainHttp2({ message, cause }: Http2Error): ProbeFailure {
  const code = codeOf(cause) ?? "";
  if (code === "" || code.startsWith("ERR_HTTP2"))
    return new ProbeFailure("protocol", `HTTP/2 failed: ${message}`);
  // TLS or the connection broke, which has its own words.
  return explain(cause);
}

function explain(error: unknown): ProbeFailure {
  if (error instanceof ProxyError) return explainProxy(error);
  if (error instanceof Http2Error) return explainHttp2(error);
  const code = codeOf(error) ?? "";
  const known = Object.hasOwn(faultsOfCodes, code) ? faultsOfCodes[code] : undefined;
  if (known !== undefined) return new ProbeFailure(known[0], `${known[1]} (${code})`);
  if (/NO_APPLICATION_PROTOCOL/u.test(code))
    return new ProbeFailure("protocol", "The server does not support the HTTP version of this check");
  if (isHttp2(error))
    return new ProbeFailure(
      "protocol",
      "The server speaks HTTP/2 without TLS: set the HTTP version to HTTP/2",
    );
  // Deno's word for a missing permission.
  if (error instanceof Error && error.name === "NotCapable")
    return new ProbeFailure("unsupported", "This location is not permitted to open the connection");
  if (/^(?:HPE_|ERR_INVALID|ERR_HTTP|ERR_UNESCAPED)/u.test(code))
    return new ProbeFailure("protocol", `The response is malformed (${code})`);
  // TLS 1.3 says it by a name of its own, earlier versions by "handshake failure".
  if (/CERTIFICATE_REQUIRED/u.test(code))
    return new ProbeFailure("tls", "The server requires a client certificate");
  if (/ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_\w+)/u.test(code))
    return new ProbeFailure("tls", `The server rejected the client certificate (${code})`);
  if (CERTIFICATE.test(code))
    return new ProbeFailure("certificate", `The certificate is not trusted (${code})`);
  if (/SSL|TLS|EPROTO/u.test(code)) return new ProbeFailure("tls", `The TLS handshake failed (${code})`);
  return new ProbeFailure("protocol", code === "" ? textOf(error) : code);
}

/** Runs one try to its end, whatever happens: never rejects. */
export async function runTry(
  context: ProbeContext,
  work: (run: Try) => Promise<ProbeResult>,
): Promise<ProbeResult> {
  const run = new Try(context);
  const finish = ({ conditions, ...result }: ProbeResult): ProbeResult => ({
    ...result,
    detail: toDetail(result.detail),
    ...(conditions && {
      conditions: conditions.map(({ text, isMet, seen }) => ({
        text: toDetail(text),
        isMet,
        seen: toDetail(seen),
      })),
    }),
    ...(Object.keys(run.phases).length === 0 ? {} : { phases: run.phases }),
  });
  try {
    return finish(await work(run));
  } catch (error) {
    const { fault, message, found } = run.toFailure(error);
    return finish({ ...found, fault, detail: message });
  } finally {
    run.end();
  }
}
