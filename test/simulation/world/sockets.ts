/** WebSockets without a network: the server's end as the program has it, and the client's end as a viewer has it. */
import { NoHandshakeError, type ServerSocket, type UpgradeWebSocket } from "../../../src/runtime/runtime.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Owner } from "../kernel/owner.ts";
import { Pipe } from "./pipe.ts";

/** On answers that are the beginning of a WebSocket: the number of the socket. */
export const SOCKET_HEADER = "x-simulated-socket";

/** How long the client's end of a connection that is gone takes to notice. */
const NOTICES_MS = 30_000;

export interface SocketClient {
  onMessage(data: string | Uint8Array): void;
  onClose(code: number): void;
}

type Frame = { readonly data: string | Uint8Array } | "ping" | { readonly code: number };
type Reply = { readonly text: string } | "pong" | { readonly code: number };

export class SimulatedSocket implements ServerSocket {
  readyState: ServerSocket["readyState"] = "connecting";
  onopen: (() => void) | undefined;
  onmessage: ((data: string | Uint8Array) => void) | undefined;
  onpong: (() => void) | undefined;
  onclose: ((code: number, reason: string) => void) | undefined;
  /** While it is set, the client takes nothing. */
  isStuck = false;
  bufferedBytes = 0;
  readonly #kernel: Kernel;
  readonly #owner: Owner;
  #toClient: Pipe<Frame> | undefined;
  #toServer: Pipe<Reply> | undefined;
  #stuck: Frame[] = [];

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#owner = kernel.owner;
  }

  /** The handshake is over; call it as the process of the server. */
  open(client: SocketClient, delayMs: () => number): void {
    const kernel = this.#kernel;
    this.#toClient = new Pipe<Frame>(kernel, {
      to: kernel.world,
      delayMs,
      deliver: (frame) => {
        if (frame === "ping") this.#toServer?.send("pong");
        else if ("data" in frame) client.onMessage(frame.data);
        else {
          this.#toServer?.send({ code: frame.code });
          client.onClose(frame.code);
        }
      },
    });
    this.#toServer = new Pipe<Reply>(kernel, {
      to: this.#owner,
      delayMs,
      deliver: (reply) => {
        if (reply === "pong") this.onpong?.();
        else if ("text" in reply) this.onmessage?.(reply.text);
        else this.#end(reply.code);
      },
    });
    this.readyState = "open";
    this.onopen?.();
  }

  #push(frame: Frame, bytes: number): void {
    if (!this.isStuck) return this.#toClient?.send(frame);
    this.bufferedBytes += bytes;
    this.#stuck.push(frame);
    return undefined;
  }

  /** The client takes what waits. */
  goOn(): void {
    if (this.readyState === "closed") return;
    this.isStuck = false;
    this.bufferedBytes = 0;
    for (const frame of this.#stuck.splice(0)) this.#toClient?.send(frame);
  }

  send(data: string | Uint8Array): void {
    if (this.readyState === "open") this.#push({ data }, data.length);
  }

  sendText(utf8: Uint8Array): void {
    this.send(new TextDecoder().decode(utf8));
  }

  ping(): void {
    if (this.readyState === "open") this.#push("ping", 2);
  }

  close(code: number): void {
    if (this.readyState !== "open") return;
    this.readyState = "closing";
    this.#push({ code }, 4);
    setTimeout(() => this.terminate(), 5_000);
  }

  terminate(): void {
    this.#end(1006);
  }

  #end(code: number): void {
    if (this.readyState === "closed") return;
    this.readyState = "closed";
    this.#toClient?.send({ code });
    this.onclose?.(code, "");
  }

  /** The process of the server has ended: nothing more comes of it. */
  drop(): void {
    this.#toClient?.cut();
    this.#toServer?.cut();
    this.readyState = "closed";
    this.isStuck = true;
  }

  /** What the client sends. */
  reply(text: string): void {
    this.#toServer?.send({ text });
  }

  /** The client closes it, or vanishes without a word. */
  leave(how: "close" | "vanish"): void {
    if (this.readyState === "closed") return;
    this.#toClient?.cut();
    if (how === "close") this.#toServer?.send({ code: 1000 });
    this.#toServer?.cut();
    if (how === "close") this.#kernel.after(1, () => this.#end(1000), { owner: this.#owner });
    else this.#kernel.after(NOTICES_MS, () => this.#end(1006), { owner: this.#owner });
  }
}

/** The upgrades of a process; `sockets` gets each by its number. */
export function createUpgrade(kernel: Kernel, sockets: Map<string, SimulatedSocket>): UpgradeWebSocket {
  let count = 0;
  return (request) => {
    if (request.headers.get("sec-websocket-key") === null)
      throw new NoHandshakeError("This is no WebSocket handshake");
    count += 1;
    const socket = new SimulatedSocket(kernel);
    sockets.set(String(count), socket);
    return { socket, response: new Response(null, { headers: { [SOCKET_HEADER]: String(count) } }) };
  };
}
