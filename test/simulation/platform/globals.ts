/**
 * The global clock, timers, randomness and network: while the program runs in a simulation they are the simulation's,
 * else the runtime's own. Imported before everything else, so that no module keeps the real ones.
 */
import { createHash } from "node:crypto";
import { findProgramWorld, getWorld } from "../kernel/current.ts";
import { SimulationError } from "../kernel/kernel.ts";
import * as timers from "./timers.ts";

const RealDate = Date;
const real = {
  fetch: globalThis.fetch,
  crypto: globalThis.crypto,
  performance: globalThis.performance,
  random: Math.random,
  timeout: AbortSignal.timeout.bind(AbortSignal),
};

/** The time of the owner that runs. */
function readWallMs(): number {
  return findProgramWorld()?.kernel.wallMs() ?? RealDate.now();
}

class SimulatedDate extends RealDate {
  constructor(...given: [] | [number]) {
    if (given.length === 0) super(readWallMs());
    else super(...given);
  }

  static override now(): number {
    return readWallMs();
  }
}

function replace(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true });
}

const digests: Readonly<Record<string, string>> = {
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512",
};

function toBytes(data: unknown): Uint8Array {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw new TypeError("Bytes were expected");
}

/** Keys are generated once for each algorithm: they would take longer than everything else. */
const keys = new Map<string, Promise<unknown>>();

/** Characters of a full number of so many bits in a JWK. */
const toJwkLength = (bits: number): number => Math.ceil((bits / 8) * (4 / 3));

/** A key whose members are all of full length: a small number would make one shorter, and with it every record of the key. */
async function generateFullKey(run: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    const pair = await run();
    const key: unknown = Reflect.get(Object(pair), "privateKey");
    if (!(key instanceof CryptoKey) || !key.algorithm.name.startsWith("RSA")) return pair;
    const {
      d = "",
      p = "",
      q = "",
      dp = "",
      dq = "",
      qi = "",
    } = await real.crypto.subtle.exportKey("jwk", key);
    const bits = Number(Reflect.get(key.algorithm, "modulusLength"));
    const isFull = [p, q, dp, dq, qi].every(({ length }) => length === toJwkLength(bits / 2));
    if (isFull && d.length === toJwkLength(bits)) return pair;
  }
}

function getKey(given: readonly unknown[], run: () => Promise<unknown>): Promise<unknown> {
  const name = JSON.stringify(given);
  const known = keys.get(name) ?? generateFullKey(run);
  keys.set(name, known);
  return known;
}

/** Hashes at once; whatever else there is waits in the queue for the runtime. */
const subtle = new Proxy(real.crypto.subtle, {
  get: (target, name) => {
    const method: unknown = Reflect.get(target, name);
    if (typeof method !== "function") return method;
    return (...given: unknown[]): unknown => {
      const run = (): Promise<unknown> => Promise.resolve(Reflect.apply(method, target, given));
      const world = findProgramWorld();
      if (world === undefined) return run();
      const [algorithm, data] = given;
      const hash = name === "digest" && typeof algorithm === "string" ? digests[algorithm] : undefined;
      if (name === "generateKey") return world.kernel.native("", () => getKey(given, run));
      if (hash === undefined) return world.kernel.native("", run);
      const digest = createHash(hash).update(toBytes(data)).digest();
      return Promise.resolve(new Uint8Array(digest).buffer);
    };
  },
});

const simulatedCrypto = new Proxy(real.crypto, {
  get: (target, name) => {
    if (name === "subtle") return subtle;
    const world = findProgramWorld();
    if (world !== undefined && name === "getRandomValues")
      return <T extends ArrayBufferView>(view: T): T => {
        world.kernel.programRandom.fill(toBytes(view));
        return view;
      };
    if (world !== undefined && name === "randomUUID") return newUuid;
    const value: unknown = Reflect.get(target, name);
    return typeof value === "function" ? (value.bind(target) as unknown) : value;
  },
});

/** A version 4 UUID of the simulation. */
export function newUuid(): string {
  const bytes = new Uint8Array(16);
  getWorld().kernel.programRandom.fill(bytes);
  bytes[6] = ((bytes[6] ?? 0) & 15) | 64;
  bytes[8] = ((bytes[8] ?? 0) & 63) | 128;
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const simulatedPerformance = new Proxy(real.performance, {
  get: (target, name) => {
    const world = findProgramWorld();
    if (world !== undefined && name === "now") return () => world.kernel.nowMs;
    const value: unknown = Reflect.get(target, name);
    return typeof value === "function" ? (value.bind(target) as unknown) : value;
  },
});

function simulatedTimeout(delayMs: number): AbortSignal {
  const world = findProgramWorld();
  if (world === undefined) return real.timeout(delayMs);
  const controller = new AbortController();
  const error = new DOMException("The operation was aborted due to timeout", "TimeoutError");
  world.kernel.timer(delayMs, () => controller.abort(error));
  return controller.signal;
}

/** What a program under simulation must not reach, by the name of the global. */
const forbidden = ["Worker", "BroadcastChannel", "WebSocket", "EventSource"] as const;

function guard(name: string): void {
  const value: unknown = Reflect.get(globalThis, name);
  if (typeof value !== "function") return;
  const guarded = new Proxy(value, {
    construct: (target, given, newTarget) => {
      if (findProgramWorld() !== undefined) throw new SimulationError(`The program created a real ${name}`);
      return Reflect.construct(target, given, newTarget) as object;
    },
  });
  replace(globalThis, name, guarded);
}

function install(): void {
  replace(globalThis, "Date", SimulatedDate);
  replace(globalThis, "setTimeout", timers.setTimeout);
  replace(globalThis, "setInterval", timers.setInterval);
  replace(globalThis, "clearTimeout", timers.clearTimeout);
  replace(globalThis, "clearInterval", timers.clearInterval);
  replace(globalThis, "setImmediate", timers.setImmediate);
  replace(globalThis, "clearImmediate", timers.clearImmediate);
  replace(globalThis, "crypto", simulatedCrypto);
  replace(globalThis, "performance", simulatedPerformance);
  replace(Math, "random", () => findProgramWorld()?.kernel.programRandom.next() ?? real.random());
  replace(AbortSignal, "timeout", simulatedTimeout);
  replace(globalThis, "fetch", (input: string | URL | Request, init?: RequestInit) => {
    const world = findProgramWorld();
    if (world === undefined) return real.fetch(input, init);
    const request = new Request(input, init);
    return world.outside
      .send(request, { signal: init?.signal ?? undefined })
      .then(({ response, text }) => new Response(text, response))
      .catch((error: unknown) => {
        throw init?.signal?.aborted === true ? error : new TypeError("fetch failed", { cause: error });
      });
  });
  for (const name of forbidden) guard(name);
}

install();
