/** What checks look at: websites that are well, slow, wrong, away, or come and go. */
import type { Kernel } from "../kernel/kernel.ts";
import { type Random, createRandom } from "../kernel/random.ts";
import type { Line } from "../world/line.ts";
import type { Outside } from "../world/outside.ts";

const MINUTE = 60_000;
export const FAILURES = 2;

export const targets = ["steady", "slow", "wrong", "away", "flapping", "long", "lacking"] as const;
export type TargetName = (typeof targets)[number];

/** What the answers of some must have, or must not have: these never do as they should. */
export const rules: Readonly<Partial<Record<TargetName, object>>> = {
  long: { excludes: "Out of order" },
  lacking: { json: { path: "$.state", operator: "!=", value: "down" } },
};

/** Longer than what is read of answers that say nothing. */
const LONG = `${"All is well. ".repeat(10_000)}Out of order`;

/** Servers at ports: what a check asks of them is a connection, or the greeting of POP3. */
export const ports = ["gate", "drip", "half", "liar", "mute"] as const;
export type PortName = (typeof ports)[number];

const FIRST_PORT = 1_100;
const GREETING = "+OK ready\r\n";

/** What a check of a server at a port asks. */
export function toPortTarget(name: PortName): object {
  const place = { host: hostOf(name), port: FIRST_PORT + ports.indexOf(name) };
  return name === "gate"
    ? { kind: "tcp", ...place }
    : { kind: "mail", protocol: "pop3", security: "none", ...place };
}

export const hostOf = (name: TargetName | PortName): string => `${name}.example`;

/** Attempts at one target, as the network saw them. */
interface Attempts {
  /** Failures in a row. */
  failures: number;
  /** How often as many failed in a row as make a check "down". */
  falls: number;
}

export class Targets {
  readonly attempts = new Map<string, Attempts>();
  readonly #kernel: Kernel;
  readonly #random: Random;

  constructor(kernel: Kernel, outside: Outside) {
    this.#kernel = kernel;
    this.#random = createRandom(kernel.seed, "targets");
    for (const name of targets) if (name !== "away") outside.serve(hostOf(name), () => this.#answer(name));
    for (const [at, name] of ports.entries()) {
      const greet = (line: Line): Promise<void> => this.#greet(name, line);
      outside.servePort(FIRST_PORT + at, { name: hostOf(name), isMute: name === "gate", greet });
    }
    const broken = new Set(targets.filter((name) => name in rules).map(hostOf));
    outside.onEnd = ({ hostname }, status) => this.#note(hostname, status === 200 && !broken.has(hostname));
  }

  async #answer(name: TargetName): Promise<Response> {
    const { nowMs } = this.#kernel;
    await this.#kernel.sleep(this.#random.wait(name === "slow" ? 1_500 : 40));
    if (name === "wrong") return new Response("broken", { status: 500 });
    // Up for seven minutes, down for three.
    if (name === "flapping" && nowMs % (10 * MINUTE) > 7 * MINUTE)
      return new Response("busy", { status: 503 });
    if (name === "long") return new Response(LONG);
    return new Response(name === "lacking" ? "{}" : "fine");
  }

  /** Only the last of what "drip" says makes it good; the others never are. */
  async #greet(name: PortName, line: Line): Promise<void> {
    if (name === "drip")
      for (let at = 0; at < GREETING.length; at += 1) {
        await this.#kernel.sleep(this.#random.wait(40));
        line.say(GREETING.charAt(at), at === GREETING.length - 1);
      }
    if (name === "half") {
      line.say(GREETING.slice(0, 4));
      line.hangUp();
    }
    if (name === "liar") line.say("HTTP/1.1 400 Bad Request\r\n");
  }

  #note(host: string, isGood: boolean): void {
    const attempts = this.attempts.get(host) ?? { failures: 0, falls: 0 };
    this.attempts.set(host, attempts);
    attempts.failures = isGood ? 0 : attempts.failures + 1;
    if (attempts.failures === FAILURES) attempts.falls += 1;
  }
}
