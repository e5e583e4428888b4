/** Single requests whose answer and time count. */
import { pause } from "./case.ts";

/** An answer; `status` is 0 when there was none in time. */
export interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly json: unknown;
  readonly headers: Headers;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Default 10 s. */
  readonly limitMs?: number;
}

/** Sends a request; never throws. */
export async function ask(url: string, asking: Asking = {}): Promise<Answer> {
  const { method = "GET", headers = {}, body, limitMs = 10_000 } = asking;
  const startedMs = performance.now();
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  try {
    const response = await fetch(url, {
      method,
      headers: { ...type, ...headers },
      signal: AbortSignal.timeout(limitMs),
      ...text,
    });
    const json: unknown = await response.json().catch(() => undefined);
    return { status: response.status, ms: performance.now() - startedMs, json, headers: response.headers };
  } catch {
    return { status: 0, ms: performance.now() - startedMs, json: undefined, headers: new Headers() };
  }
}

/** The value of a path of names in an answer, as text; "" when there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  let at: unknown = value;
  for (const name of path) at = typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined;
  return typeof at === "string" || typeof at === "number" || typeof at === "boolean" ? String(at) : "";
}

/** Asks one after another until `isOver`; gives all answers. */
export async function askOften(
  isOver: () => boolean,
  { urls, everyMs, asking = {} }: { urls: readonly string[]; everyMs: number; asking?: Asking },
): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (!isOver()) {
    for (const url of urls) answers.push(await ask(url, asking));
    await pause(everyMs);
  }
  return answers;
}

/** The time that `share` (0 to 1) of the answers stay within, in milliseconds. */
export function toQuantile(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
