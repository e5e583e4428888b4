/** More than fifty targets, each said once for our probes and once for the blackbox exporter. */
import { join } from "node:path";
import type { CertificateName } from "./certificates.ts";
import type { WebPorts } from "./programs.ts";

export const TIMEOUT_MS = 4_000;

export interface LabTarget {
  readonly name: string;
  /** As an administrator sets it. */
  readonly target: object;
  /** Module and target of the exporter. */
  readonly module: Readonly<Record<string, unknown>>;
  readonly blackboxTarget: string;
}

export interface LabPorts {
  readonly web: WebPorts;
  readonly names: number;
  /** Take connections and say nothing. */
  readonly silent: number;
  /** Answers over HTTP, a byte at a time, for ever. */
  readonly drip: number;
  readonly closed: number;
  /** Open or closed by turns. */
  readonly turning: readonly number[];
}

interface HttpOptions {
  /** Of the exporter beside what all have. */
  readonly http?: object;
  /** Of ours beside the URL. */
  readonly ours?: object;
}

const timeout = `${TIMEOUT_MS / 1_000}s`;

function toHttp(folder: string, name: string): (url: string, options?: HttpOptions) => LabTarget {
  return (url, { http = {}, ours = {} } = {}) => ({
    name,
    target: { kind: "http", url, ...ours },
    blackboxTarget: url,
    module: {
      prober: "http",
      timeout,
      http: { preferred_ip_protocol: "ip4", tls_config: { ca_file: join(folder, "authority.pem") }, ...http },
    },
  });
}

function httpTargets(folder: string, { web, closed, silent, drip }: LabPorts): LabTarget[] {
  const make = (name: string, path: string, options?: HttpOptions): LabTarget =>
    toHttp(folder, `http ${name}`)(`http://localhost:${web.plain}${path}`, options);
  const contains = (text: string): HttpOptions => ({
    ours: { contains: text },
    http: { fail_if_body_not_matches_regexp: [text] },
  });
  return [
    make("200", "/ok"),
    make("204", "/nothing"),
    make("404", "/missing"),
    make("500", "/broken"),
    make("404 expected", "/missing", { ours: { statuses: "404" }, http: { valid_status_codes: [404] } }),
    make("redirect", "/moved"),
    make("redirect not followed", "/moved", {
      ours: { maxRedirects: 0, statuses: "302" },
      http: { follow_redirects: false, valid_status_codes: [302] },
    }),
    make("circle", "/circle"),
    make("HEAD", "/ok", { ours: { method: "HEAD" }, http: { method: "HEAD" } }),
    make("POST", "/ok", { ours: { method: "POST", body: "x" }, http: { method: "POST", body: "x" } }),
    make("text there", "/ok", contains("systems go")),
    make("text missing", "/ok", contains("nobody")),
    make("text excluded", "/ok", {
      ours: { excludes: "systems" },
      http: { fail_if_body_matches_regexp: ["systems"] },
    }),
    make("turning 503", "/turning"),
    make("turning text", "/turning-text", contains("go")),
    make("turning JSON", "/json", {
      ours: { json: { path: "status", value: "well" } },
      http: { fail_if_body_not_matches_regexp: ['"status":"well"'] },
    }),
    make("turning redirect", "/turning-way"),
    toHttp(folder, "http closed port")(`http://localhost:${closed}/`),
    toHttp(folder, "http silent")(`http://localhost:${silent}/`),
    toHttp(folder, "http drip")(`http://localhost:${drip}/`),
  ];
}

function secureTargets(folder: string, { web, silent }: LabPorts): LabTarget[] {
  const make = (name: string, url: string, options?: HttpOptions): LabTarget =>
    toHttp(folder, `https ${name}`)(url, options);
  const at = (port: number, path = "/"): string => `https://localhost:${port}${path}`;
  const names: CertificateName[] = ["good", "ended", "soon", "otherName", "stranger", "selfSigned"];
  return [
    ...names.map((name) => make(name, at(web.secure[name]))),
    make("500", at(web.secure.good, "/broken")),
    make("ended, ignored", at(web.secure.ended), {
      ours: { ignoresCertificate: true },
      http: { tls_config: { insecure_skip_verify: true } },
    }),
    make("HTTP/2", at(web.secure.good), {
      ours: { httpVersion: "http2" },
      http: { valid_http_versions: ["HTTP/2.0"] },
    }),
    make("HTTP/1.1", at(web.secure.good), {
      ours: { httpVersion: "http1" },
      http: { valid_http_versions: ["HTTP/1.1"], enable_http2: false },
    }),
    make("HTTP/2 missing", at(web.secure.soon), {
      ours: { httpVersion: "http2" },
      http: { valid_http_versions: ["HTTP/2.0"] },
    }),
    make("turning certificate", at(web.turning)),
    make("on a plain port", at(web.plain)),
    make("silent", at(silent)),
  ];
}

function tlsTargets(folder: string, { web, plain }: { web: WebPorts; plain: number }): LabTarget[] {
  const make = (name: string, port: number): LabTarget => ({
    name: `tls ${name}`,
    target: { kind: "tls", host: "localhost", port, certificateDays: 0 },
    blackboxTarget: `localhost:${port}`,
    module: {
      prober: "tcp",
      timeout,
      tcp: {
        preferred_ip_protocol: "ip4",
        tls: true,
        tls_config: { ca_file: join(folder, "authority.pem"), server_name: "localhost" },
      },
    },
  });
  return [
    make("good", web.secure.good),
    make("ended", web.secure.ended),
    make("otherName", web.secure.otherName),
    make("turning certificate", web.turning),
    make("on a plain port", plain),
  ];
}

function tcpTargets({ web, closed, silent, turning }: LabPorts): LabTarget[] {
  const make = (name: string, port: number): LabTarget => ({
    name: `tcp ${name}`,
    target: { kind: "tcp", host: "localhost", port },
    blackboxTarget: `localhost:${port}`,
    module: { prober: "tcp", timeout, tcp: { preferred_ip_protocol: "ip4" } },
  });
  return [
    make("nginx", web.plain),
    make("silent", silent),
    make("closed", closed),
    ...turning.map((port, index) => make(`turning ${index + 1}`, port)),
  ];
}

function nameTargets({ names, closed }: LabPorts): LabTarget[] {
  const make = (
    name: string,
    options: { record: string; expected: string; pattern: string; port?: number },
  ): LabTarget => ({
    name: `dns ${options.record} ${name}${options.port === undefined ? "" : ", no resolver"}`,
    target: {
      kind: "dns",
      name: `${name === "@" ? "" : `${name}.`}lab.example`,
      record: options.record,
      expected: [options.expected],
      resolver: `127.0.0.1:${options.port ?? names}`,
    },
    blackboxTarget: `127.0.0.1:${options.port ?? names}`,
    module: {
      prober: "dns",
      timeout,
      dns: {
        preferred_ip_protocol: "ip4",
        query_name: `${name === "@" ? "" : `${name}.`}lab.example`,
        query_type: options.record,
        validate_answer_rrs: { fail_if_none_matches_regexp: [options.pattern] },
      },
    },
  });
  const one = { record: "A", expected: "192.0.2.1", pattern: "192\\.0\\.2\\.1$" };
  return [
    make("right", one),
    make("wrong", one),
    make("missing", one),
    make("turning", one),
    make("turning-right", one),
    make("right", { ...one, port: closed }),
    make("right", { record: "AAAA", expected: "2001:db8::1", pattern: "2001:db8::1$" }),
    make("@", { record: "MX", expected: "mail.lab.example", pattern: "mail\\.lab\\.example\\.$" }),
  ];
}

/** All of them. */
export function planTargets(folder: string, ports: LabPorts): readonly LabTarget[] {
  return [
    ...httpTargets(folder, ports),
    ...secureTargets(folder, ports),
    ...tlsTargets(folder, { web: ports.web, plain: ports.web.plain }),
    ...tcpTargets(ports),
    ...nameTargets(ports),
  ];
}
