/** A client of the program over a network that loses requests and answers: it repeats what it may repeat. */
import { z } from "zod";
import { type Kernel } from "../kernel/kernel.ts";
import type { Random } from "../kernel/random.ts";
import { type Machine, NoAnswer } from "./machine.ts";
import type { Outside } from "./outside.ts";

/** The program did what it must not do. */
export class Violation extends Error {
  override readonly name = "Violation";
}

export interface Answer {
  readonly status: number;
  readonly json: unknown;
  readonly headers: Headers;
  /** Of pictures and files each character is a byte. */
  readonly text: string;
}

export interface Call {
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In place of a body: the fields of a form. */
  readonly form?: Readonly<Record<string, string>>;
  /** In place of a body of JSON. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

export interface ClientParts {
  readonly kernel: Kernel;
  /** Who answers: a machine, or what chooses among several. */
  readonly machine: Pick<Machine, "request">;
  readonly outside: Outside;
  readonly random: Random;
}

export interface ClientPlace {
  readonly name: string;
  readonly port: number;
  /** Its address. */
  readonly from: string;
}

/** The health page, and what programs know from other servers, have forms of their own. */
const OWN_FORM = /\/(?:api\/health$|v1\/licenses\/|oauth\/)/u;

const problemSchema = z.looseObject({ code: z.string(), requestId: z.string() });

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** @throws Violation for an answer that no client may get */
function checkAnswer(answer: Answer, { headers }: Response, what: string): void {
  if (headers.get("x-request-id") === null) throw new Violation(`${what}: the answer has no request ID`);
  const { status, json } = answer;
  if (status < 400 || what.endsWith("/api/health")) return;
  const isPage = headers.get("content-type")?.startsWith("text/html") === true;
  const problem = problemSchema.safeParse(json);
  if (!problem.success && !isPage && (status >= 500 || !OWN_FORM.test(what)))
    throw new Violation(`${what}: ${status} without a problem document`);
  // The shop has asked a service, which refuses.
  if (problem.data?.code === "payment_service_failed") return;
  if (status >= 500 && status !== 503) throw new Violation(`${what}: ${status} ${JSON.stringify(json)}`);
}

export class Client {
  readonly #parts: ClientParts;
  readonly #place: ClientPlace;

  constructor(parts: ClientParts, place: ClientPlace) {
    this.#parts = parts;
    this.#place = place;
  }

  /** Sends a request once. @throws NoAnswer; Violation */
  async send(path: string, { method = "GET", headers = {}, body, form, bytes }: Call = {}): Promise<Answer> {
    const { kernel, machine, outside, random } = this.#parts;
    const { port, from, name } = this.#place;
    const { losesRequest, losesResponse, wayMs } = outside.trouble;
    const request = new Request(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      ...(bytes === undefined ? {} : { body: bytes }),
    });
    if (random.chance(losesRequest)) {
      await kernel.sleep(random.wait(1_000));
      throw new NoAnswer("The request was lost");
    }
    const { response, text } = await machine.request(port, request, { delayMs: random.wait(wayMs), from });
    const answer = { status: response.status, json: parse(text), headers: response.headers, text };
    const what = `${name}: ${method} ${path}`;
    kernel.trace(`${what} → ${answer.status}`);
    checkAnswer(answer, response, what);
    if (random.chance(losesResponse)) throw new NoAnswer("The answer was lost");
    return answer;
  }

  /** Sends a request until it has an answer other than 503 and 429, `tries` times. Undefined: it got none. */
  async insist(path: string, call: Call, tries = 8): Promise<Answer | undefined> {
    const { kernel, random } = this.#parts;
    for (let count = 0; count < tries; count += 1) {
      if (count > 0) await kernel.sleep(random.wait(Math.min(60_000, 500 * 2 ** count)));
      try {
        const answer = await this.send(path, call);
        if (answer.status !== 503 && answer.status !== 429) return answer;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
      }
    }
    return undefined;
  }
}
