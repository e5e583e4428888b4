/** One check run over HTTP or HTTPS, with its redirects. */
import type { TLSSocket } from "node:tls";
import { type Answer, ExchangeError, runExchange, toCertificateName } from "../outbound/outbound-exchange.ts";
import { findUrlFault } from "../outbound/outbound.ts";
import { findRedirect, isSameParty } from "../outbound/redirect.ts";
import type { Proxy } from "../outbound/tunnel.ts";
import { tryAddresses } from "../outbound/try-addresses.ts";
import {
  type CertificateFault,
  certificateFaults,
  findCertificate,
  findCertificateFault,
  findEnding,
  toSeen,
} from "./certificate.ts";
import { CookieJar } from "./cookie-jar.ts";
import { judgeAnswer, judgesContent } from "./http-answer.ts";
import { findWay, forgetSignIn, signIn, toAuthorities, toClient } from "./http-sign-in.ts";
import { showStatus } from "./http-status.ts";
import type { SecretHttpTarget } from "./kinds/http-settings.ts";
import type { ProbeResult, SeenCertificate } from "./probe.ts";
import { ProbeFailure, type Try } from "./try.ts";

/** One request of a chain of redirects. */
interface Hop {
  readonly url: URL;
  readonly method: string;
  /** Whether headers and body are meant for whom the URL names. */
  readonly isTrusted: boolean;
}

const types = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  xml: "application/xml; charset=utf-8",
  text: "text/plain; charset=utf-8",
} as const;

/** A type for a body whose headers name none. */
function toType({ body, bodyType = "" }: Pick<SecretHttpTarget, "body" | "bodyType">): string {
  return types[bodyType === "" ? (/^\s*[{[]/u.test(body) ? "json" : "text") : bodyType];
}

const versions = { "": "both", http1: "1.1", http2: "2" } as const;

/** "200 OK, HTTP/2". HTTP/1.1 goes without saying. */
function showAnswer(answer: Answer): string {
  const { httpVersion, http2Fault } = answer;
  const status = showStatus(answer);
  if (http2Fault !== undefined) return `${status}, HTTP/1.1 because HTTP/2 failed: ${http2Fault}`;
  return httpVersion === "2" ? `${status}, HTTP/2` : status;
}

/** Certificate errors to ignore; the older switch ignores all of them. */
function toAccepted({
  ignoresCertificate,
  acceptsCertificate = [],
}: SecretHttpTarget): readonly CertificateFault[] {
  return ignoresCertificate ? certificateFaults : acceptsCertificate;
}

/** The run. */
export class HttpRun {
  readonly #run: Try;
  readonly #target: SecretHttpTarget;
  readonly #cookies = new CookieJar();
  /** Of the first hop that has one: that is the target's; what is behind a redirect is somebody else's. */
  #certificate: SeenCertificate | undefined;
  #certificateFault: string | undefined;
  #authorization: string | undefined;

  constructor(run: Try, target: SecretHttpTarget) {
    this.#run = run;
    this.#target = target;
  }

  async run(): Promise<ProbeResult> {
    const answer = await this.#followSignedIn();
    const latencyMs = this.#run.elapsedMs();
    const certificate = this.#certificate;
    const now = this.#run.context.clock.now();
    const { fault, conditions } = judgeAnswer(answer, { target: this.#target, latencyMs, certificate, now });
    const isJudged = fault !== undefined && fault.fault !== "not_judged";
    return {
      latencyMs,
      certificate,
      detail: showAnswer(answer),
      ...(conditions.length === 0 ? {} : { conditions }),
      ...(isJudged ? fault : (this.#findEnding() ?? fault)),
    };
  }

  async #signIn(): Promise<boolean> {
    const { authorization, isKept } = await signIn(this.#run, this.#target);
    this.#authorization = authorization;
    this.#run.restart();
    return isKept;
  }

  /** A token that was kept may have been revoked since: then once more with a new one. */
  async #followSignedIn(): Promise<Answer> {
    const isKept = await this.#signIn();
    const answer = await this.#follow();
    if (answer.status !== 401 || this.#target.auth !== "oauth2") return answer;
    forgetSignIn(this.#target);
    if (!isKept) return answer;
    await this.#signIn();
    return this.#follow();
  }

  #findEnding(): ReturnType<typeof findEnding> {
    const certificate = this.#certificate;
    if (certificate === undefined) return undefined;
    return findEnding(certificate, {
      days: this.#target.certificateDays,
      now: this.#run.context.clock.now(),
    });
  }

  async #follow(): Promise<Answer> {
    const { method, maxRedirects } = this.#target;
    let hop: Hop = { url: new URL(this.#target.url), method, isTrusted: true };
    const seen = new Set<string>();
    for (let redirects = 0; ; redirects += 1) {
      // A page that redirects to itself to see whether cookies come back is no circle.
      seen.add(`${hop.method} ${hop.url.href} ${this.#cookies.headerFor(hop.url)}`);
      const answer = await this.#request(hop);
      this.#cookies.take(hop.url, { setCookies: answer.setCookies, now: this.#run.context.clock.now() });
      const next = findRedirect(answer, hop);
      if (next === undefined || maxRedirects === 0) return answer;
      this.#checkRedirect(hop, next.url);
      if (seen.has(`${next.method} ${next.url.href} ${this.#cookies.headerFor(next.url)}`))
        throw this.#fail("The response redirects in a loop");
      if (redirects === maxRedirects)
        throw this.#fail(`The response redirects more than ${maxRedirects} times`);
      // Once somebody else has chosen where it goes, credentials stay away for good.
      hop = { ...next, isTrusted: hop.isTrusted && isSameParty(hop.url, next.url) };
    }
  }

  #fail(detail: string): ProbeFailure {
    return new ProbeFailure("redirects", detail, {
      latencyMs: this.#run.elapsedMs(),
      certificate: this.#certificate,
    });
  }

  #checkRedirect({ url }: Hop, next: URL): void {
    if (findUrlFault(next.href) !== undefined) throw this.#fail("The response redirects to an invalid URL");
    if (url.protocol === "https:" && next.protocol === "http:")
      throw this.#fail("The response redirects from https to http");
  }

  async #request(hop: Hop): Promise<Answer> {
    const run = this.#run;
    const { addresses, toProxy } = await findWay(run, this.#target, hop.url);
    run.begin("connect");
    this.#certificateFault = undefined;
    try {
      const answer = await tryAddresses(addresses, {
        signal: run.signal,
        attempt: (address, connectMs) => this.#exchange(hop, { address, connectMs, proxy: toProxy(address) }),
      });
      // What was read before the time was over is no whole answer.
      if (run.signal.aborted) throw new ExchangeError(true, run.signal.reason);
      run.finish("body");
      return answer;
    } catch (error) {
      throw this.#toFailure(error);
    }
  }

  #toFailure(error: unknown): ProbeFailure {
    const certificate = this.#certificate;
    if (this.#certificateFault !== undefined && !this.#run.signal.aborted)
      return new ProbeFailure("certificate", this.#certificateFault, { certificate });
    const { fault, message } = this.#run.toFailure(error);
    return new ProbeFailure(fault, message, { certificate });
  }

  #exchange(
    hop: Hop,
    way: { address: string; connectMs: number | undefined; proxy: Proxy | undefined },
  ): Promise<Answer> {
    const run = this.#run;
    const { body } = this.#target;
    const sendsBody = hop.isTrusted && body !== "" && hop.method === this.#target.method;
    const { host: given, ...headers } = this.#headersFor(hop, sendsBody);
    const host = given === "" ? undefined : given;
    return runExchange({
      ...hop,
      ...way,
      host,
      headers,
      httpVersions: versions[this.#target.httpVersion ?? ""],
      maxBodyBytes: judgesContent(this.#target) ? (this.#target.maxBodyMib ?? 1) * 1_048_576 : undefined,
      body: sendsBody ? body : undefined,
      signal: run.signal,
      ca: toAuthorities(run, this.#target),
      client: hop.isTrusted ? toClient(this.#target) : undefined,
      judge: (socket) => this.#judge(socket, toCertificateName({ url: hop.url, host })),
      onStep: (step) => {
        run.finish(step);
        const isPlain = hop.url.protocol === "http:";
        run.begin(
          step === "connect" ? (isPlain ? "firstByte" : "tls") : step === "tls" ? "firstByte" : "body",
        );
      },
    });
  }

  #headersFor({ url, isTrusted }: Hop, sendsBody: boolean): Record<string, string> & { host?: string } {
    const headers: Record<string, string> = { accept: "*/*", "user-agent": this.#run.context.userAgent };
    if (sendsBody) headers["content-type"] = toType(this.#target);
    if (isTrusted && this.#authorization !== undefined) headers["authorization"] = this.#authorization;
    if (isTrusted) for (const { name, value } of this.#target.headers) headers[name.toLowerCase()] = value;
    const cookies = [headers["cookie"] ?? "", this.#cookies.headerFor(url)].filter((text) => text !== "");
    if (cookies.length > 0) headers["cookie"] = cookies.join("; ");
    return headers;
  }

  /** Before anything is sent: whether this is whom it is meant for. */
  #judge(socket: TLSSocket, name: string): boolean {
    const asked = { name, now: this.#run.context.clock.now() };
    const view = findCertificate(socket, { ...asked, ca: toAuthorities(this.#run, this.#target) });
    if (view !== undefined) this.#certificate ??= toSeen(view);
    const accepts = toAccepted(this.#target);
    if (accepts.length === certificateFaults.length) return true;
    this.#certificateFault =
      view === undefined
        ? "The server has no certificate"
        : findCertificateFault(view, { ...asked, accepts });
    return this.#certificateFault === undefined;
  }
}
