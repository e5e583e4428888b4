/** A viewer of the dashboard: it follows the live feed over a WebSocket, and connects again when that ends. */
import { z } from "zod";
import type { Kernel } from "../kernel/kernel.ts";
import type { Random } from "../kernel/random.ts";
import { Violation } from "../world/client.ts";
import { type Machine, NoAnswer } from "../world/machine.ts";
import type { Outside } from "../world/outside.ts";
import type { SimulatedSocket } from "../world/sockets.ts";
import { MONITOR_PORT } from "./operator.ts";

const serverSchema = z.object({ id: z.string(), state: z.string() });
const frameSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("snapshot"), seq: z.number(), servers: z.array(serverSchema) }),
  z.object({
    type: z.literal("delta"),
    seq: z.number(),
    upsert: z.array(serverSchema),
    remove: z.array(z.string()),
  }),
]);

/** Codes with which the monitor, or the network, may end a socket. */
const endings = new Set([1001, 1006, 1013]);

export interface ViewerParts {
  readonly kernel: Kernel;
  readonly machine: Pick<Machine, "openSocket">;
  readonly outside: Outside;
  readonly random: Random;
}

export class Viewer {
  readonly #parts: ViewerParts;
  readonly #number: number;
  readonly #mode: "full" | "delta";
  /** What it shows. */
  readonly states = new Map<string, string>();
  #seq: number | undefined;
  frames = 0;
  /** When the last frame came, in virtual milliseconds. */
  lastFrameMs = -Infinity;

  constructor(parts: ViewerParts, number: number) {
    this.#parts = parts;
    this.#number = number;
    this.#mode = number % 2 === 0 ? "delta" : "full";
  }

  async watch(isOver: () => boolean): Promise<void> {
    const { kernel, random } = this.#parts;
    while (!isOver()) {
      await this.#connect(isOver);
      await kernel.sleep(1_000 + random.wait(3_000));
    }
  }

  async #connect(isOver: () => boolean): Promise<void> {
    const { kernel, machine, outside, random } = this.#parts;
    const url = `http://127.0.0.1:${MONITOR_PORT}/api/ws/monitor?mode=${this.#mode}`;
    const headers = {
      upgrade: "websocket",
      connection: "Upgrade",
      "sec-websocket-version": "13",
      "sec-websocket-key": "c2ltdWxhdGVkIHZpZXdlcg==",
    };
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.#seq = undefined;
    const client = {
      onMessage: (data: string | Uint8Array) => this.#take(String(data)),
      onClose: (code: number) => {
        if (!endings.has(code)) kernel.fail(new Violation(`The live feed ended with ${code}`));
        end();
      },
    };
    try {
      const way = { delayMs: random.wait(outside.trouble.wayMs), from: `10.3.0.${this.#number}`, client };
      const { socket } = await machine.openSocket(MONITOR_PORT, new Request(url, { headers }), way);
      if (socket === undefined) return;
      void this.#live(socket, end, isOver).catch((error: unknown) => kernel.fail(error));
      await ended;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
  }

  /** Now and then it is slow, leaves, or vanishes. */
  async #live(socket: SimulatedSocket, end: () => void, isOver: () => boolean): Promise<void> {
    const { kernel, random } = this.#parts;
    while (socket.readyState !== "closed") {
      await kernel.sleep(random.wait(120_000));
      if (isOver()) return end();
      const mind = random.next();
      if (mind < 0.4) {
        socket.isStuck = true;
        await kernel.sleep(random.wait(8_000));
        socket.goOn();
      } else if (mind < 0.6) {
        socket.leave(random.chance(0.5) ? "close" : "vanish");
        return end();
      }
    }
    return undefined;
  }

  #take(text: string): void {
    const { kernel } = this.#parts;
    const parsed = frameSchema.safeParse(JSON.parse(text));
    if (!parsed.success) return kernel.fail(new Violation(`The live feed sent ${text.slice(0, 200)}`));
    const frame = parsed.data;
    this.frames += 1;
    this.lastFrameMs = kernel.nowMs;
    const isNext = frame.type === "snapshot" || frame.seq === (this.#seq ?? Number.NaN) + 1;
    if (!isNext || frame.seq < (this.#seq ?? 0))
      kernel.fail(new Violation(`The live feed sent ${frame.type} ${frame.seq} after ${this.#seq}`));
    this.#seq = frame.seq;
    if (frame.type === "snapshot") this.states.clear();
    for (const { id, state } of frame.type === "snapshot" ? frame.servers : frame.upsert)
      this.states.set(id, state);
    if (frame.type === "delta") for (const id of frame.remove) this.states.delete(id);
    return undefined;
  }
}
