/** HTTP to addresses that an administrator set, and that may be anything. */
import { isIP } from "node:net";
import { lookUpAll } from "./look-up.ts";
import { type AddressRules, findAddressFault } from "./allowed-networks.ts";
import { type Answer, ExchangeError, hostOf, runExchange } from "./outbound-exchange.ts";
import { findRedirect, isSameParty } from "./redirect.ts";
import { MAX_ADDRESSES, tryAddresses } from "./try-addresses.ts";
import { toStorableText } from "../text/foreign-text.ts";
import { codeOf, textOf } from "../thrown.ts";

export interface OutboundRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** http or https, without user and password. */
  readonly url: string;
  /** May hold credentials: they are not sent to another origin that a redirect names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly body?: string;
  /** False where an answer that leads elsewhere is an answer like any other; default true. */
  readonly followRedirects?: boolean;
  /** Whether the outcome has the answer's headers, such as for a signature of it; default false. */
  readonly wantsHeaders?: boolean;
  /** Reads the body as bytes, such as a picture, up to this many; a longer one is cut off. */
  readonly maxBytes?: number;
}

/** How a request ended. Reasons are one line without the path of the URL, which may be a secret. */
export type OutboundOutcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** The answer's body as text, up to 64 KiB of it. */
      readonly text: string;
      readonly contentType?: string;
      /** As the receiver said it: seconds, or a date. */
      readonly retryAfter?: string;
      /** Where a redirect led that was not followed: origin alone. */
      readonly redirectsTo?: string;
      /** Only on request. */
      readonly headers?: Headers;
      /** Only with `maxBytes`; undefined for a body that is longer, or that broke off. */
      readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
    }
  /** It was not sent, and will not be until someone changes something. */
  | { readonly kind: "refused"; readonly reason: string }
  /** No answer; another try may get one. `wasSent`: the receiver may have seen the request all the same. */
  | { readonly kind: "failed"; readonly reason: string; readonly wasSent?: true };

export interface Outbound {
  /** Never rejects. Takes 10 s at most, redirects included. */
  send(request: OutboundRequest): Promise<OutboundOutcome>;
}

export interface OutboundOptions extends AddressRules {
  /** The User-Agent header. */
  readonly userAgent: string;
  /** Default: what the system says. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  /** For all of a request, in milliseconds; default 10,000. */
  readonly timeoutMs?: number;
  /** Authorities (PEM) to trust instead of the well-known ones. */
  readonly ca?: string;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** For an answer that is here, and that a busy process has not read yet. */
const LATE_MS = 50;
const MAX_REDIRECTS = 3;
const MAX_REASON = 200;

class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly kind: "refused" | "failed";

  constructor(kind: "refused" | "failed", reason: string) {
    super(reason.replace(/[\p{C}\s\u2028\u2029]+/gu, " ").slice(0, MAX_REASON));
    this.kind = kind;
  }
}

const refused = (reason: string): OutboundError => new OutboundError("refused", reason);
const failed = (reason: string): OutboundError => new OutboundError("failed", reason);

/** Why a web address cannot be used, or undefined. */
export function findUrlFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol))
    return "must be a URL that starts with http:// or https://";
  if (url.username !== "" || url.password !== "")
    return "must not contain a username and password. Send them in an Authorization header";
  return undefined;
}

const CERTIFICATE = /CERT|ISSUER|SIGNATURE|INVALID_CA|ALTNAME|UnknownIssuer|certificate/u;

function explain(error: unknown, host: string): string {
  const code = codeOf(error) ?? "";
  if (CERTIFICATE.test(code) || CERTIFICATE.test(textOf(error)))
    return `The certificate of "${host}" is not trusted${code === "" ? "" : ` (${code})`}`;
  if (/SSL|TLS|EPROTO/u.test(code))
    return `"${host}" does not support TLS on this port. Check the URL and its port`;
  if (code === "ECONNREFUSED") return `"${host}" refused the connection. Check the URL and its port`;
  if (code === "ENETUNREACH" || code === "EHOSTUNREACH") return `"${host}" is unreachable from here`;
  if (/^(?:HPE_|ERR_INVALID)/u.test(code)) return `"${host}" sent a response that is not valid HTTP`;
  return `The connection to "${host}" failed (${code === "" ? textOf(error) : code})`;
}

/** One outbound request with its redirects. */
class RequestRun {
  readonly #options: OutboundOptions;
  readonly #signal: AbortSignal;
  /** Whether the request may have been received. */
  wasSent = false;

  constructor(options: OutboundOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  async run(request: OutboundRequest): Promise<OutboundOutcome> {
    let url = this.#parse(request.url);
    const first = url;
    let trusted = true;
    for (let hop = 0; ; hop += 1) {
      const answer = await this.#requestHop(url, { request, trusted });
      const follows = request.followRedirects ?? true;
      const redirect = follows ? findRedirect(answer, { url, method: request.method }) : undefined;
      // 301 to 303 turn a request with a body into a GET (RFC 9110 section 15.4): the message would be lost.
      const next = redirect?.method === request.method ? redirect.url : undefined;
      if (next === undefined) return toOutcome(answer, { url, request });
      if (hop === MAX_REDIRECTS)
        throw refused(`"${hostOf(first)}" redirects more than ${MAX_REDIRECTS} times`);
      if (url.protocol === "https:" && next.protocol === "http:")
        throw refused(`"${hostOf(url)}" redirects from https to http. Set a URL that does not redirect`);
      // Once a redirect has left the first party, credentials are never sent again.
      trusted &&= isSameParty(url, next);
      url = this.#parse(next.href);
    }
  }

  #parse(text: string): URL {
    const fault = findUrlFault(text);
    if (fault !== undefined) throw refused(`The URL ${fault}`);
    return new URL(text);
  }

  async #requestHop(
    url: URL,
    { request, trusted }: { request: OutboundRequest; trusted: boolean },
  ): Promise<Answer> {
    if (this.#signal.aborted) throw failed("The request timed out");
    const addresses = await this.#resolve(hostOf(url));
    const { contentType, body, method } = request;
    const headers = {
      accept: "*/*",
      ...(trusted ? request.headers : {}),
      "user-agent": this.#options.userAgent,
      ...(contentType === undefined || body === undefined ? {} : { "content-type": contentType }),
    };
    try {
      return await tryAddresses(addresses, {
        signal: this.#signal,
        attempt: (address, connectMs) =>
          runExchange({
            url,
            address,
            method,
            headers,
            body,
            connectMs,
            maxBodyBytes: request.maxBytes,
            wantsBytes: request.maxBytes !== undefined,
            signal: this.#signal,
            ca: this.#options.ca,
            onStep: () => (this.wasSent = true),
          }),
      });
    } catch (error) {
      throw failed(explain(error instanceof ExchangeError ? error.cause : error, hostOf(url)));
    }
  }

  /** Every address of a name, each allowed; what is returned is connected to without another look-up. */
  async #resolve(host: string): Promise<readonly string[]> {
    const found = isIP(host) === 0 ? await this.#lookUp(host) : [host];
    const fault = findAddressFault(host, { ...this.#options, addresses: found });
    if (fault !== undefined) throw refused(fault);
    return found.slice(0, MAX_ADDRESSES);
  }

  async #lookUp(host: string): Promise<readonly string[]> {
    const { lookup = lookUpAll } = this.#options;
    const over = new Promise<never>((_resolve, reject) => {
      this.#signal.addEventListener("abort", () => reject(new Error("The request timed out")), {
        once: true,
      });
    });
    try {
      const found = await Promise.race([lookup(host), over]);
      if (found.length > 0) return found;
    } catch {
      // Reported below: messages of the system differ and say no more.
    }
    throw failed(`The name "${host}" could not be resolved`);
  }
}

function toOutcome(
  { status, text, contentType, retryAfter, location, headers, ending, unread, bytes }: Answer,
  { url, request }: { url: URL; request: OutboundRequest },
): OutboundOutcome {
  const isRedirect = status >= 300 && status < 400 && location !== undefined && URL.canParse(location, url);
  return {
    kind: "answered",
    status,
    text: toStorableText(text),
    ...(contentType === undefined ? {} : { contentType }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(isRedirect ? { redirectsTo: new URL(location, url).origin } : {}),
    ...(request.wantsHeaders === true ? { headers } : {}),
    ...(request.maxBytes === undefined || ending !== "whole" || unread !== undefined ? {} : { bytes }),
  };
}

/** Creates the sender of outbound requests. */
export function createOutbound(options: OutboundOptions): Outbound {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  return {
    send: async (request) => {
      const limit = new AbortController();
      // An answer that arrived while this process was busy is read first: a second message would be one too many.
      let timer = setTimeout(() => {
        timer = setTimeout(() => limit.abort(), LATE_MS);
      }, timeoutMs);
      const run = new RequestRun(options, limit.signal);
      const sent = (): { wasSent?: true } => (run.wasSent ? { wasSent: true } : {});
      try {
        return await run.run(request);
      } catch (error) {
        if (!(error instanceof OutboundError))
          return { kind: "failed", reason: "The request could not be sent" };
        if (error.kind === "failed" && limit.signal.aborted)
          return { kind: "failed", reason: `No response within ${timeoutMs / 1_000} s`, ...sent() };
        if (error.kind === "refused") return { kind: "refused", reason: error.message };
        return { kind: "failed", reason: error.message, ...sent() };
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
