/** The cluster that `npm run nodes -- --test` gives to the tests: where it is, and what can be done to it. */
import assert from "node:assert/strict";
import process from "node:process";
import type { NodeName, ServiceUrls } from "../lab/nodes/addresses.ts";
import {
  type ClusterAccess,
  type ControlCommand,
  clusterAccess,
  CLUSTER_VARIABLE,
} from "../lab/nodes/control.ts";
import { eventually } from "../support/eventually.ts";

function loadAccess(): ClusterAccess {
  const text = process.env[CLUSTER_VARIABLE];
  if (text === undefined)
    throw new Error(`There is no cluster (${CLUSTER_VARIABLE}): run "npm run nodes -- --test"`);
  return clusterAccess.parse(JSON.parse(text));
}

/** Where everything is. */
export const cluster: ClusterAccess = loadAccess();

/** The front, then each node. */
export const everywhere: readonly ServiceUrls[] = [cluster.front, cluster.nodes.a, cluster.nodes.b];

/** The nodes alone. */
export const bothNodes: readonly ServiceUrls[] = [cluster.nodes.a, cluster.nodes.b];

/** Has the script do something; resolves with what comes of it when it is done. */
export async function control(command: ControlCommand): Promise<unknown> {
  const response = await fetch(cluster.controlUrl, {
    method: "POST",
    headers: { authorization: `Bearer ${cluster.controlToken}` },
    body: JSON.stringify(command),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${command.target} ${command.do}: ${text}`);
  const answer: { value: unknown } = JSON.parse(text);
  return answer.value;
}

export interface CallOptions {
  readonly body?: unknown;
  /** An access token. */
  readonly token?: string | undefined;
  readonly admin?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's address, as a proxy before the front would tell it. */
  readonly from?: string;
}

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined without a body. */
  readonly body: T;
}

/** One request; `T` is what the test takes the JSON of the answer for. */
export async function ask<T = unknown>(
  method: string,
  url: string,
  options: CallOptions = {},
): Promise<Answer<T>> {
  const { body, token, admin, from, headers = {} } = options;
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(admin === true ? { "x-admin-token": cluster.adminToken } : {}),
      ...(from === undefined ? {} : { "x-forwarded-for": from }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const isJson = /json/u.test(response.headers.get("content-type") ?? "");
  const answer: T = text === "" ? undefined : isJson ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body: answer };
}

/** A request that has to succeed; gives the JSON of the answer. */
export async function call<T = unknown>(method: string, url: string, options: CallOptions = {}): Promise<T> {
  const { status, body } = await ask<T>(method, url, options);
  assert.ok(status >= 200 && status < 300, `${method} ${url} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

interface Health {
  readonly status: string;
  readonly checks: Readonly<Record<string, { readonly status: string } | string>>;
}

/** The health of a service. */
export function readHealth(url: string): Promise<Answer<Health>> {
  return ask<Health>("GET", `${url}/api/health`);
}

/** Resolves when each service of each node, and the front, says that all is well. */
export async function untilHealthy(): Promise<void> {
  for (const { monitor, auth, shop } of everywhere)
    for (const url of [monitor, auth, shop])
      await eventually(async () => {
        const { status, body } = await readHealth(url);
        assert.deepEqual([url, status, body.status], [url, 200, "ok"]);
      });
}

/** Starts a node that was ended, and waits until all is well again. */
export async function startNode(target: NodeName): Promise<void> {
  await control({ target, do: "start" });
  await untilHealthy();
}

let made = 0;

/** A name that no other test of this run has. */
export function newName(prefix: string): string {
  made += 1;
  return `${prefix}-${process.pid.toString(36)}-${made}`;
}
