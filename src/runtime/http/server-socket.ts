/** The port's ServerSocket on a `ws` WebSocket. */
import type { RawData, WebSocket } from "ws";
import { codeOf } from "../../kit/thrown.ts";
import type { ServerSocket } from "../runtime.ts";

const TEXT = { binary: false };
const BINARY = { binary: true };
/** Unsent bytes above which pings stay unanswered: a client that pings and never reads must not fill the memory. */
const MAX_PONG_BACKLOG_BYTES = 65_536;
/** RFC 6455 section 5.5: a control frame carries 125 bytes, two of which are the code. */
const MAX_REASON_BYTES = 123;

function toReason(reason: string): string {
  if (Buffer.byteLength(reason) <= MAX_REASON_BYTES) return reason;
  const cut = Buffer.from(reason).subarray(0, MAX_REASON_BYTES).toString("utf8");
  return cut.replace(/\ufffd$/u, "");
}

/** The close code that ws answers a broken frame with (its error codes, RFC 6455 section 7.4.1). */
function toCloseCode(error: unknown): number | undefined {
  const code = codeOf(error);
  if (code?.startsWith("WS_ERR_") !== true) return undefined;
  if (code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") return 1009;
  // Beyond 2^53, ws has a separate code.
  if (code === "WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH") return 1009;
  if (code === "WS_ERR_INVALID_UTF8") return 1007;
  if (code === "WS_ERR_TOO_MANY_BUFFERED_PARTS") return 1008;
  return 1002;
}

function toBytes(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}

/** A socket whose connection is attached once the handshake is done. */
export class WsServerSocket implements ServerSocket {
  onopen: (() => void) | undefined = undefined;
  onmessage: ((data: string | Uint8Array) => void) | undefined = undefined;
  onpong: (() => void) | undefined = undefined;
  onclose: ((code: number, reason: string) => void) | undefined = undefined;
  readonly #report: (error: unknown) => void;
  #ws: WebSocket | undefined;
  #isClosed = false;
  #earlyEnd: (() => void) | undefined;
  #failureCode: number | undefined;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  get readyState(): ServerSocket["readyState"] {
    if (this.#isClosed) return "closed";
    const ws = this.#ws;
    if (ws === undefined) return this.#earlyEnd === undefined ? "connecting" : "closing";
    if (ws.readyState === ws.OPEN) return "open";
    return ws.readyState === ws.CLOSED ? "closed" : "closing";
  }

  get bufferedBytes(): number {
    return this.#ws?.bufferedAmount ?? 0;
  }

  send(data: string | Uint8Array): void {
    const ws = this.#ws;
    if (ws === undefined || ws.readyState !== ws.OPEN) return;
    ws.send(data, typeof data === "string" ? TEXT : BINARY);
  }

  sendText(utf8: Uint8Array): void {
    const ws = this.#ws;
    if (ws === undefined || ws.readyState !== ws.OPEN) return;
    ws.send(utf8, TEXT);
  }

  ping(): void {
    const ws = this.#ws;
    if (ws !== undefined && ws.readyState === ws.OPEN) ws.ping();
  }

  close(code: number, reason = ""): void {
    const ws = this.#ws;
    if (ws === undefined) {
      this.#earlyEnd ??= () => this.#ws?.close(code, toReason(reason));
      return;
    }
    if (ws.readyState === ws.OPEN) ws.close(code, toReason(reason));
  }

  terminate(): void {
    if (this.#ws === undefined) this.#earlyEnd = () => this.#ws?.terminate();
    else this.#ws.terminate();
  }

  /** Binds the open connection and tells the application. */
  attach(ws: WebSocket): void {
    this.#ws = ws;
    ws.on("message", (data, isBinary) => {
      const bytes = toBytes(data);
      const message = isBinary
        ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        : bytes.toString("utf8");
      this.#tell(() => this.onmessage?.(message));
    });
    ws.on("ping", (data) => {
      if (ws.readyState === ws.OPEN && ws.bufferedAmount < MAX_PONG_BACKLOG_BYTES) ws.pong(data);
    });
    ws.on("pong", () => this.#tell(() => this.onpong?.()));
    ws.on("error", (error) => {
      this.#failureCode ??= toCloseCode(error);
    });
    ws.on("close", (code, reason) => {
      const isAbnormal = code === 1006 && this.#failureCode !== undefined;
      this.end(isAbnormal ? (this.#failureCode ?? code) : code, isAbnormal ? "" : reason.toString("utf8"));
    });
    if (this.#earlyEnd === undefined) this.#tell(() => this.onopen?.());
    else this.#earlyEnd();
  }

  /** Marks the socket closed and tells the application, once. */
  end(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#tell(() => this.onclose?.(code, reason));
  }

  #tell(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#report(error);
      this.close(1011);
    }
  }
}
