/** A conversation with a server over TCP, with or without TLS: reading lines and bytes, each within a bound. */
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { z } from "zod";
import { findCertificate, findCertificateFault, findEnding, toSeen, toServerName } from "./certificate.ts";
import { certificateDaysSchema } from "./fields.ts";
import { openTcp, openTls } from "./open-socket.ts";
import type { ProbeResult, SeenCertificate } from "./probe.ts";
import { ProbeFailure, type Try } from "./try.ts";

/** What a greeting may take; greetings of these protocols are short. */
const MAX_UNREAD = 64 * 1024;
const MAX_LINE = 2_000;

/** Settings of a target that may speak TLS. */
export const tlsSettings = () => ({
  certificateDays: certificateDaysSchema.default(0),
  /** Whether any certificate is accepted, such as a self-signed one. */
  ignoresCertificate: z.boolean().default(false),
});

/** How a socket is checked once it speaks TLS. */
export interface TlsWishes {
  readonly host: string;
  readonly certificateDays: number;
  readonly ignoresCertificate: boolean;
}

/** What was found out about the certificate; a conversation without TLS has none. */
export interface FoundCertificate {
  readonly certificate?: SeenCertificate | undefined;
  /** The certificate expires within the days that were set. */
  readonly ending?: Pick<ProbeResult, "fault" | "detail"> | undefined;
}

/** Reads and writes; every read ends with the time of the run. */
export class Conversation {
  readonly #run: Try;
  #socket: Socket;
  #unread: Buffer = Buffer.alloc(0);
  #ended = false;
  #error: Error | undefined;
  #wake: () => void = () => undefined;
  found: FoundCertificate = {};

  constructor(run: Try, socket: Socket) {
    this.#run = run;
    this.#socket = socket;
    this.#listen(socket);
  }

  #listen(socket: Duplex): void {
    socket.on("data", (bytes: Buffer) => {
      this.#unread = Buffer.concat([this.#unread, bytes]);
      if (this.#unread.length > MAX_UNREAD) socket.pause();
      this.#wake();
    });
    socket.on("error", (error: Error) => {
      this.#error = error;
      this.#wake();
    });
    socket.on("close", () => {
      this.#ended = true;
      this.#wake();
    });
    socket.on("end", () => {
      this.#ended = true;
      this.#wake();
    });
  }

  /** Bytes up to where `find` says, which gets what is unread and returns undefined for "not yet". */
  async #take(find: (unread: Buffer) => number | undefined, maxBytes: number): Promise<Buffer> {
    for (;;) {
      const end = find(this.#unread);
      if (end !== undefined) {
        const taken = this.#unread.subarray(0, end);
        this.#unread = this.#unread.subarray(end);
        return taken;
      }
      if (this.#unread.length > maxBytes)
        throw new ProbeFailure("protocol", "The server sent something else than this protocol");
      if (this.#error !== undefined) throw this.#error;
      if (this.#ended) throw new ProbeFailure("reset", "The server closed the connection");
      await this.#run.race(
        new Promise<void>((resolve) => {
          this.#wake = resolve;
        }),
      );
    }
  }

  /** The next bytes. @throws ProbeFailure `protocol`, `reset` */
  bytes(count: number): Promise<Buffer> {
    return this.#take((unread) => (unread.length >= count ? count : undefined), MAX_UNREAD);
  }

  /** The next line without its end. @throws ProbeFailure `protocol`, `reset` */
  async line(): Promise<string> {
    const bytes = await this.#take((unread) => {
      const at = unread.indexOf(10);
      return at < 0 ? undefined : at + 1;
    }, MAX_LINE);
    return bytes.toString("utf8").replace(/\r?\n$/u, "");
  }

  send(data: string | Uint8Array): void {
    this.#socket.write(data);
  }

  /** Goes on with TLS on the same connection. What the server had sent unasked is thrown away (CVE-2011-0411). */
  async startTls(wishes: TlsWishes): Promise<void> {
    const plain = this.#socket;
    plain.removeAllListeners("data");
    this.#unread = Buffer.alloc(0);
    this.#run.begin("tls");
    const { ca } = this.#run.context;
    const socket = connectTls({
      socket: plain,
      servername: toServerName(wishes.host),
      rejectUnauthorized: false,
      ...(ca === undefined ? {} : { ca }),
    });
    this.#socket = socket;
    await this.#run.race(
      new Promise<void>((resolve, reject) => {
        socket.once("secureConnect", resolve);
        socket.once("error", reject);
        socket.once("close", () => reject(new ProbeFailure("reset", "The server closed the connection")));
      }),
    );
    this.#run.finish("tls");
    this.#listen(socket);
    this.found = judgeCertificate(this.#run, socket, wishes);
  }

  /** With what was found out about the certificate. */
  finish(result: Pick<ProbeResult, "latencyMs" | "detail">): ProbeResult {
    const { certificate, ending } = this.found;
    return { ...result, ...(certificate && { certificate }), ...ending };
  }

  close(): void {
    this.#socket.destroy();
  }
}

/**
 * What the certificate of a socket tells, and whether it expires soon.
 * @throws ProbeFailure `certificate`, when it is not accepted
 */
export function judgeCertificate(
  run: Try,
  socket: Parameters<typeof findCertificate>[0],
  { host: name, certificateDays: days, ignoresCertificate }: TlsWishes,
): FoundCertificate {
  const now = run.context.clock.now();
  const view = findCertificate(socket, { name, now, ca: run.context.ca });
  if (view === undefined) return {};
  const certificate = toSeen(view);
  if (ignoresCertificate) return { certificate };
  const fault = findCertificateFault(view, { name, now, accepts: [] });
  if (fault !== undefined) throw new ProbeFailure("certificate", fault, { certificate });
  return { certificate, ending: findEnding(view, { days, now }) };
}

/** Connects, with TLS from the beginning where `isTls`. @throws ProbeFailure, ExchangeError */
export async function openConversation(
  run: Try,
  { port, isTls, ...wishes }: TlsWishes & { readonly port: number; readonly isTls: boolean },
): Promise<Conversation> {
  const addresses = await run.findAddresses(wishes.host);
  if (!isTls) {
    const { socket } = await openTcp(addresses, { run, port });
    run.begin("firstByte");
    return new Conversation(run, socket);
  }
  const { socket } = await openTls(addresses, { run, port, servername: toServerName(wishes.host) });
  run.finish("tls");
  const conversation = new Conversation(run, socket);
  try {
    conversation.found = judgeCertificate(run, socket, wishes);
  } catch (error) {
    conversation.close();
    throw error;
  }
  run.begin("firstByte");
  return conversation;
}

/** Opens a conversation, closes it whatever happens, and tells the time to its last answer. */
export async function converse(
  run: Try,
  place: TlsWishes & { readonly port: number; readonly isTls: boolean },
  work: (conversation: Conversation) => Promise<string>,
): Promise<ProbeResult> {
  const conversation = await openConversation(run, place);
  try {
    const detail = await work(conversation);
    return conversation.finish({ latencyMs: run.elapsedMs(), detail });
  } catch (error) {
    const { fault, message, found } = run.toFailure(error);
    throw new ProbeFailure(fault, message, { ...conversation.found, ...found });
  } finally {
    conversation.close();
  }
}
