/** Agents that vanish without a word: their streams are freed, and they come back once the network is whole. */
import { createTestClient } from "../../runtime/grpc/grpc-client.ts";
import { ADMIN_TOKEN } from "../../shop/kill-load.ts";
import { connectPath } from "../../../src/monitor/proto/codec.ts";
import { startCareless } from "./careless.ts";
import { type ChaosCase, type Found, type Surroundings, toSeconds, waitFor } from "./case.ts";
import { ask, textAt } from "./requests.ts";
import { openSilentProxy } from "./silent-proxy.ts";
import { createSubject } from "./subject.ts";
import { createMonitorTraffic, toFound } from "./traffic.ts";

const AGENTS = 10;
const FREED_LIMIT_MS = 40_000;
const BACK_LIMIT_MS = 75_000;
const POLL = { everyMs: 250 };

async function countStreams(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { "x-admin-token": ADMIN_TOKEN } });
  return Number(/^trivet_agent_streams (\d+)/mu.exec(await response.text())?.[1] ?? -1);
}

async function cutFleet(around: Surroundings): Promise<Found> {
  const subject = await createSubject(around, { services: ["monitor"] });
  await subject.start();
  const url = subject.url("monitor");
  const proxy = await openSilentProxy(around, subject.grpc());
  const { address } = proxy;
  const traffic = createMonitorTraffic(subject, { agents: AGENTS, intervalMs: 1_000, viewers: 0, address });
  await traffic.prepare();
  traffic.start();
  const areThere = async (): Promise<boolean> => (await countStreams(url)) === AGENTS;
  if ((await waitFor(areThere, { limitMs: 30_000, ...POLL })) === undefined)
    throw new Error(`${await countStreams(url)} of ${AGENTS} agents came`);
  proxy.silence();
  const freedLimitMs = around.within(FREED_LIMIT_MS);
  const backLimitMs = around.within(BACK_LIMIT_MS);
  const areFreed = async (): Promise<boolean> => (await countStreams(url)) === 0;
  const freedMs = await waitFor(areFreed, { limitMs: freedLimitMs, ...POLL });
  proxy.repair();
  const backMs = await waitFor(areThere, { limitMs: backLimitMs, ...POLL });
  await traffic.stop();
  const { acknowledged, problems } = await traffic.audit();
  const all = [...problems];
  if (freedMs === undefined) all.push(`streams not freed in ${toSeconds(freedLimitMs)}`);
  if (backMs === undefined) all.push(`the fleet was not back in ${toSeconds(backLimitMs)}`);
  return {
    isKept: all.length === 0,
    done: `${AGENTS} agents behind a proxy that falls silent`,
    acknowledged,
    found: `${toFound(all)}; freed after ${toSeconds(freedMs ?? Number.NaN)}, back ${toSeconds(backMs ?? Number.NaN)} after the repair`,
  };
}

async function cutCareless(around: Surroundings): Promise<Found> {
  const server = await startCareless(around, "grpc");
  const grpc = textAt((await ask(server.url)).json, "grpc");
  const proxy = await openSilentProxy(around, grpc);
  const client = createTestClient(proxy.address);
  around.onEnd(() => client.close());
  const stream = client.open(connectPath);
  stream.send("hello");
  const count = async (): Promise<string> => textAt((await ask(server.url)).json, "streams");
  if ((await waitFor(async () => (await count()) === "1", { limitMs: 20_000 })) === undefined)
    throw new Error("the stream did not open");
  proxy.silence();
  const limitMs = around.within(FREED_LIMIT_MS);
  const freedMs = await waitFor(async () => (await count()) === "0", { limitMs, ...POLL });
  return {
    isKept: freedMs !== undefined,
    done: "1 stream behind a proxy that falls silent",
    acknowledged: "",
    found:
      freedMs === undefined ? `still open after ${toSeconds(limitMs)}` : `freed after ${toSeconds(freedMs)}`,
  };
}

/** See the module's header. */
export const halfOpen: ChaosCase = {
  name: "half-open",
  promise: "Half-open agents: streams freed in 40 s, the fleet back within 75 s of the repair",
  isPatient: true,
  parts: [
    { name: "monitor", run: cutFleet, limitSeconds: 200 },
    { name: "a gRPC listener without keepalive", isControl: true, run: cutCareless },
  ],
};
