/** A connection to the first address that takes one. */
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";
import { ExchangeError } from "../outbound/outbound-exchange.ts";
import { tryAddresses } from "../outbound/try-addresses.ts";
import type { Try } from "./try.ts";

interface Opening<S extends Socket> {
  readonly run: Try;
  readonly open: (address: string) => S;
  /** When it may be used. */
  readonly readyEvent: "connect" | "secureConnect";
}

interface Opened<S extends Socket> {
  readonly socket: S;
  readonly address: string;
}

function openOne<S extends Socket>(
  opening: Opening<S> & { readonly address: string; readonly connectMs: number | undefined },
): Promise<Opened<S>> {
  const { run, open, readyEvent, address, connectMs } = opening;
  return new Promise((resolve, reject) => {
    let connected = false;
    if (run.signal.aborted) return reject(new ExchangeError(false, run.signal.reason));
    const socket = open(address);
    const abort = (): void => void socket.destroy(new Error("The request timed out"));
    const tooSlow = (): void =>
      void socket.destroy(Object.assign(new Error("The connection timed out"), { code: "ETIMEDOUT" }));
    const limit = connectMs === undefined ? undefined : setTimeout(tooSlow, connectMs);
    run.signal.addEventListener("abort", abort, { once: true });
    socket.once("connect", () => {
      connected = true;
      clearTimeout(limit);
      run.finish("connect");
      run.begin("tls");
    });
    socket.once(readyEvent, () => resolve({ socket, address }));
    socket.on("error", (error) => reject(new ExchangeError(connected, error)));
    socket.on("close", () => {
      clearTimeout(limit);
      run.signal.removeEventListener("abort", abort);
      const closed = Object.assign(new Error("The connection was closed"), { code: "ECONNRESET" });
      reject(new ExchangeError(connected, closed));
    });
  });
}

async function openFirst<S extends Socket>(
  addresses: readonly string[],
  opening: Opening<S>,
): Promise<Opened<S>> {
  const { run } = opening;
  run.begin("connect");
  return tryAddresses(addresses, {
    signal: run.signal,
    attempt: (address, connectMs) => openOne({ ...opening, address, connectMs }),
  });
}

/** Connects; the caller closes the socket. @throws ExchangeError */
export function openTcp(
  addresses: readonly string[],
  { run, port }: { run: Try; port: number },
): Promise<Opened<Socket>> {
  return openFirst(addresses, {
    run,
    readyEvent: "connect",
    open: (host) => connectTcp({ host, port }),
  });
}

/** Connects and performs the TLS handshake; the caller verifies the certificate and closes the socket. @throws ExchangeError */
export function openTls(
  addresses: readonly string[],
  { run, ...options }: { run: Try; port: number } & Pick<ConnectionOptions, "servername" | "ALPNProtocols">,
): Promise<Opened<TLSSocket>> {
  const { ca } = run.context;
  return openFirst(addresses, {
    run,
    readyEvent: "secureConnect",
    // Verified by the caller, because invalid certificates are shown too.
    open: (host) =>
      connectTls({ ...options, host, rejectUnauthorized: false, ...(ca === undefined ? {} : { ca }) }),
  });
}
