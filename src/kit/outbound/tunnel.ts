/** Connections through an HTTP proxy by CONNECT (RFC 9110 section 9.3.6). */
import { Buffer } from "node:buffer";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";

/** The proxy's answer to CONNECT, up to its empty line. */
const MAX_HEAD_BYTES = 16_384;

/** Address and credentials of the proxy. */
export interface Proxy {
  /** An address that was checked before. */
  readonly address: string;
  readonly port: number;
  /** The `Proxy-Authorization` header. */
  readonly authorization: string | undefined;
}

/** The proxy refused, or is not there. `reached`: it answered, and has no way to the target. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  readonly reached: boolean;

  constructor(reached: boolean, message: string, cause?: unknown) {
    super(message, { cause });
    this.reached = reached;
  }
}

interface TunnelOptions extends Proxy {
  /** "www.example.org:443". */
  readonly place: string;
  readonly signal: AbortSignal;
  readonly connectMs: number | undefined;
  readonly onConnect: () => void;
}

/** A gateway's failure is the target's; all other answers are about the proxy. */
function toRefusal(line: string): ProxyError {
  const [, status = ""] = /^HTTP\/1\.[01] (\d{3})/u.exec(line) ?? [];
  if (status === "") return new ProxyError(false, "The proxy did not respond as an HTTP proxy does");
  return new ProxyError(/^50[234]$/u.test(status), `The proxy responded with ${line.slice(9, 80).trim()}`);
}

/** Connects to the proxy and asks for a connection; the caller closes the socket. @throws ProxyError */
export function openTunnel(options: TunnelOptions): Promise<Socket> {
  const { address, port, place, authorization, signal, connectMs, onConnect } = options;
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: address, port });
    let head = Buffer.alloc(0);
    const fail = (error: ProxyError): void => {
      finish();
      reject(error);
      socket.destroy();
    };
    const abort = (): void => fail(new ProxyError(false, "The proxy did not respond in time"));
    const limit = connectMs === undefined ? undefined : setTimeout(abort, connectMs);
    const onError = (error: unknown): void =>
      fail(new ProxyError(false, "The proxy cannot be reached", error));
    const onClose = (): void => fail(new ProxyError(false, "The proxy closed the connection"));
    const onData = (bytes: Buffer): void => {
      head = Buffer.concat([head, bytes]);
      const end = head.indexOf("\r\n\r\n");
      if (end === -1 && head.byteLength <= MAX_HEAD_BYTES) return;
      const line = head.subarray(0, Math.max(0, head.indexOf("\r\n"))).toString("latin1");
      if (end === -1 || !/^HTTP\/1\.[01] 2\d\d/u.test(line)) return fail(toRefusal(line));
      finish();
      // A TLS server says nothing first: what is here already belongs to the tunnel all the same.
      const rest = head.subarray(end + 4);
      if (rest.byteLength > 0) socket.unshift(rest);
      resolve(socket);
    };
    const finish = (): void => {
      clearTimeout(limit);
      signal.removeEventListener("abort", abort);
      socket.off("data", onData).off("close", onClose).off("error", onError);
      socket.on("error", () => undefined);
    };
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    socket.on("data", onData).on("error", onError).on("close", onClose);
    socket.once("connect", () => {
      clearTimeout(limit);
      onConnect();
      const credentials = authorization === undefined ? "" : `Proxy-Authorization: ${authorization}\r\n`;
      socket.write(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n${credentials}\r\n`);
    });
  });
}

/** Connects to an address. @throws Error */
export function openDirect({
  address,
  port,
  signal,
  connectMs,
  onConnect,
}: Pick<TunnelOptions, "address" | "port" | "signal" | "connectMs" | "onConnect">): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: address, port });
    const abort = (): void => void socket.destroy(new Error("The request timed out"));
    const tooSlow = (): void => void socket.destroy(new Error("The connection timed out"));
    const limit = connectMs === undefined ? undefined : setTimeout(tooSlow, connectMs);
    const finish = (): void => {
      clearTimeout(limit);
      signal.removeEventListener("abort", abort);
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    socket.once("connect", () => {
      finish();
      onConnect();
      resolve(socket);
    });
    socket.on("error", (error: Error) => {
      finish();
      reject(error);
    });
  });
}

/** TLS over a connection that is there; the caller judges the certificate. @throws Error */
export function startTls(
  socket: Socket,
  options: Omit<ConnectionOptions, "socket"> & { readonly signal: AbortSignal },
): Promise<TLSSocket> {
  const { signal, ...rest } = options;
  return new Promise((resolve, reject) => {
    const secure = connectTls({ ...rest, socket });
    const abort = (): void => void secure.destroy(new Error("The request timed out"));
    const finish = (): void => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort, { once: true });
    secure.once("secureConnect", () => {
      finish();
      resolve(secure);
    });
    secure.on("error", (error: Error) => {
      finish();
      reject(error);
    });
    secure.once("close", () => {
      finish();
      socket.destroy();
      reject(Object.assign(new Error("The connection was closed"), { code: "ECONNRESET" }));
    });
  });
}
