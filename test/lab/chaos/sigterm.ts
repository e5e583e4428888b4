/** SIGTERM under load: a drain in time, agents and viewers told, nothing acknowledged lost. */
import { WebSocket } from "ws";
import { startCareless } from "./careless.ts";
import { type ChaosCase, type Found, type Surroundings, pause, toSeconds } from "./case.ts";
import { createSubject } from "./subject.ts";
import { createMonitorTraffic, createTraffic, toFound } from "./traffic.ts";

/** A drain may take 10 s; the process then needs a moment to end. */
const STOP_LIMIT_MS = 11_000;
const GOING_AWAY = 1001;

/** Opens a viewer; `code` resolves with what its socket is closed with. */
async function openViewer(url: string): Promise<{ code: Promise<number> }> {
  const socket = new WebSocket(url.replace(/^http/u, "ws"));
  socket.on("error", () => undefined);
  const code = new Promise<number>((resolve) => socket.on("close", resolve));
  await new Promise<void>((resolve, reject) => {
    socket.on("open", () => resolve());
    socket.on("close", () => reject(new Error("The viewer was not let in")));
  });
  return { code };
}

interface Stop {
  readonly code: number | null;
  readonly ms: number;
  readonly viewerCode: number;
}

const toJudge =
  (around: Surroundings) =>
  ({ code, ms, viewerCode }: Stop): boolean =>
    code === 0 && ms <= around.within(STOP_LIMIT_MS) && viewerCode === GOING_AWAY;
const toText = ({ code, ms, viewerCode }: Stop): string =>
  `${code === null ? "ended by the signal" : `exit ${code}`} after ${toSeconds(ms)}, viewer closed with ${viewerCode}`;

async function stopPrograms(around: Surroundings): Promise<Found> {
  const subject = await createSubject(around, { services: ["monitor", "auth", "shop"] });
  let life = await subject.start();
  const monitor = createMonitorTraffic(subject);
  const others = createTraffic(subject, ["auth", "shop"]);
  await monitor.prepare();
  await others.prepare();
  monitor.start();
  others.start();
  const rounds = around.rounds(1, 3);
  const stops: Stop[] = [];
  for (let n = 0; n < rounds; n += 1) {
    await pause(1_000 + around.random() * 1_000);
    const viewer = await openViewer(`${subject.url("monitor")}/api/ws/monitor`);
    const end = await life.terminate();
    stops.push({ ...end, viewerCode: await viewer.code });
    life = await subject.start();
  }
  await pause(1_000);
  await Promise.all([monitor.stop(), others.stop()]);
  const books = [await monitor.audit(), await others.audit()];
  const problems = books.flatMap((one) => one.problems);
  const reasons = Object.keys(monitor.result()?.reasons ?? {});
  if (!reasons.some((reason) => /UNAVAILABLE|restart|shut|stop/iu.test(reason)))
    problems.push(`agents were told: ${reasons.join(", ")}`);
  const isGood = toJudge(around);
  const worst = stops.find((stop) => !isGood(stop)) ?? stops.toSorted((a, b) => b.ms - a.ms)[0];
  return {
    isKept: problems.length === 0 && stops.every(isGood),
    done: `${rounds} SIGTERM under load`,
    acknowledged: books.map(({ acknowledged }) => acknowledged).join("; "),
    found: `${toFound(problems)}; at worst ${worst === undefined ? "?" : toText(worst)}; agents told "${reasons.join('", "')}"`,
  };
}

async function stopCareless(around: Surroundings): Promise<Found> {
  const server = await startCareless(around, "plain");
  const viewer = await openViewer(server.url);
  const end = await server.terminate();
  const stop = { ...end, viewerCode: await viewer.code };
  return { isKept: toJudge(around)(stop), done: "1 SIGTERM", acknowledged: "", found: toText(stop) };
}

/** See the module's header. */
export const sigterm: ChaosCase = {
  name: "sigterm",
  promise:
    "SIGTERM under load: drains in 10 s, agents UNAVAILABLE, viewers 1001, nothing acknowledged lost, exit 0",
  parts: [
    { name: "all services", run: stopPrograms },
    { name: "a server without a handler", isControl: true, run: stopCareless },
  ],
};
