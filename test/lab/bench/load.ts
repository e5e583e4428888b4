/**
 * A load of HTTP requests from a process of its own: keep-alive connections with one request at a time on each, over
 * raw sockets, so that the server is the limit and not the client.
 */
import { fork } from "node:child_process";
import process from "node:process";
import { nodeOptions } from "../../../src/runtime/start-options.ts";

/** Requests to make. In `path`, `headers` and `body`, `{n}` is a number that no other request has, `{value}` the next of `values`. */
export interface LoadOptions {
  /** Where to: `http://127.0.0.1:1234/path`. */
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Requests take these in turn, wherever they say `{value}`; a JSON string must take them as they are. */
  readonly values?: readonly string[];
  /**
   * A module whose `createPlan` makes the requests instead of `method`, `headers` and `body`; it runs in the
   * process of the load, and each connection has a plan of its own that sees the answers.
   */
  readonly plan?: URL;
  /** Given to `createPlan`. */
  readonly planData?: unknown;
  readonly connections: number;
  readonly seconds: number;
  /** Seconds of the same load before anything counts; 0 by default. */
  readonly warmupSeconds?: number;
  /** Requests a second at most, at even distances; a delay counts from when the request was due. */
  readonly perSecond?: number;
}

/** What came of it. Times run from the write of a request to the last byte of its answer. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Connections that broke and answers that did not come within 10 s of the end. */
  readonly errors: number;
  /** How many answers had each status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** CPU that the client took, of one core: near 1, the client was the limit. */
  readonly clientCpuShare: number;
}

/** One request of a plan. */
export interface LoadRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer, as a plan sees it; header names are not changed. */
export interface LoadAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends the requests of one connection, one after the other. */
export interface LoadPlan {
  /** The next request; `answer` is that of the one before, undefined at the start and after a connection broke. */
  next(answer: LoadAnswer | undefined): LoadRequest;
}

/** What a plan's module exports as `createPlan`. */
export type CreatePlan = (connection: number, data: unknown) => LoadPlan;

/** The options as they go over the channel. */
export type LoadMessage = Omit<LoadOptions, "plan"> & { readonly plan?: string };

const script = new URL("load-client.ts", import.meta.url);

/** Sends requests for a while. @throws when the client could not do it at all */
export function runLoad({ plan, ...options }: LoadOptions): Promise<LoadResult> {
  const child = fork(script, [], { execArgv: [...process.execArgv, ...nodeOptions] });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The client of the load ended with ${code}`)));
    child.once("message", (message) => {
      resolve(message as LoadResult); // Both ends of the channel are in this folder.
      child.disconnect();
    });
    const message: LoadMessage = { ...options, ...(plan === undefined ? {} : { plan: plan.href }) };
    child.send(message);
  });
}

/** Throws unless every answer had the status `expected`: a fast refusal is no figure. */
export function assertAll(result: LoadResult, expected: number): LoadResult {
  const got = Object.keys(result.statuses);
  if (result.errors > 0 || got.length !== 1 || got[0] !== String(expected))
    throw new Error(
      `Not every answer was ${expected}: ${JSON.stringify(result.statuses)}, ${result.errors} errors`,
    );
  return result;
}
