/** A client that sends bytes as they are, for what fetch and ws would never send. */
import { connect, type Socket } from "node:net";

export interface RawClient {
  readonly socket: Socket;
  /** Everything received so far, as latin1. */
  text(): string;
  /** Resolves when what was received satisfies `isEnough`; rejects when the connection ends first. */
  until(isEnough: (text: string) => boolean): Promise<string>;
  /** Resolves with everything received when the server has closed the connection. */
  ended(): Promise<string>;
}

/** Connects to a local port. */
export async function connectRaw(port: number): Promise<RawClient> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  let isClosed = false;
  const watchers = new Set<() => void>();
  const notify = (): void => watchers.forEach((watcher) => watcher());
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    notify();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
    notify();
  });
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  function wait(isDone: () => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      const watcher = (): void => {
        if (!isDone() && !isClosed) return;
        watchers.delete(watcher);
        if (isDone()) resolve(text);
        else reject(new Error(`The connection ended after ${JSON.stringify(text)}`));
      };
      watchers.add(watcher);
      watcher();
    });
  }
  return {
    socket,
    text: () => text,
    until: (isEnough) => wait(() => isEnough(text)),
    ended: () => wait(() => isClosed),
  };
}

/** Sends bytes on a new connection and waits for the server to close it. */
export async function exchangeRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  const client = await connectRaw(port);
  client.socket.write(bytes);
  return client.ended();
}

/** The lines of a WebSocket handshake. */
export function handshake(path: string, headers: Record<string, string> = {}): string {
  const all = {
    Host: "localhost",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** A masked client frame (RFC 6455 section 5.2) with an all-zero mask, payload up to 65,535 bytes. */
export function frame(opcode: number, payload: Uint8Array, isFinal = true): Uint8Array {
  const length = payload.byteLength;
  const head = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff];
  return new Uint8Array([(isFinal ? 0x80 : 0) | opcode, ...head, 0, 0, 0, 0, ...payload]);
}
