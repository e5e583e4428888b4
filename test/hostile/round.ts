/** A round of hostile requests to one service. */
import assert from "node:assert/strict";
import { type Route, type Subject, assertDecent, nextAddress, toPath } from "./route-cases.ts";

/** One request: what differs from the route's own method and path. */
export interface Attack {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly method?: string;
}

/** Sends requests and gathers what went wrong, so that one run shows every route that fails. */
export class Round {
  readonly #subject: Subject;
  readonly #failures: string[] = [];
  count = 0;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** Sends one request; `allowed` are the statuses that it may get, any below 500 without. */
  async send(
    route: Route,
    attack: Attack,
    expected: { what: string; allowed?: readonly number[] },
  ): Promise<Response | undefined> {
    const { path = toPath(this.#subject, route), method = route.method, headers, body } = attack;
    const where = `${expected.what}: ${method} ${path.slice(0, 100)}`;
    this.count += 1;
    try {
      // `duplex` is required for streams (Fetch standard) and missing in the DOM types.
      const init = { method, from: nextAddress(), duplex: "half", headers: { ...headers } };
      const response = await this.#subject.fetch(path, body === undefined ? init : { ...init, body });
      // A stream has no end that could be read.
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
      if (isStream) await response.body?.cancel();
      else await assertDecent(response, where);
      if (expected.allowed !== undefined && !expected.allowed.includes(response.status)) {
        const said = isStream ? "a stream" : (await response.clone().text()).slice(0, 200);
        this.#failures.push(`${where} → ${response.status} ${said}`);
      }
      return response;
    } catch (error) {
      this.#failures.push(`${where}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  fail(text: string): void {
    this.#failures.push(text);
  }

  /** At least so many requests were sent, none went wrong, and no prototype was changed. */
  finish(atLeast: number): void {
    assert.deepEqual(this.#failures, []);
    assert.ok(this.count >= atLeast, `only ${this.count} requests`);
    assert.equal(Reflect.get({}, "polluted"), undefined);
  }
}
