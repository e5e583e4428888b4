/** SIGKILL at random moments under load, life after life on one folder or database. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceName } from "../../../src/kit/services.ts";
import { createDatabase } from "./database.ts";
import { type ChaosCase, type Found, type Part, type Surroundings, pause, waitFor } from "./case.ts";
import { createReadiness } from "./readiness.ts";
import { createSubject } from "./subject.ts";
import { createTraffic, toFound } from "./traffic.ts";
import { type WriterKind, readCount, startWriter } from "./writer.ts";

const UNDER_WAY_MS = 20_000;
/** Shortest and longest life after the program is ready, in milliseconds. */
const LIFE_MS = [200, 1_200] as const;

async function killProgram(
  around: Surroundings,
  service: ServiceName,
  env: Readonly<Record<string, string>>,
): Promise<Found> {
  const subject = await createSubject(around, { services: [service], env });
  let life = await subject.start();
  const traffic = createTraffic(subject, [service]);
  await traffic.prepare();
  traffic.start();
  const kills = around.rounds(2, 8);
  const readiness = createReadiness(around);
  for (let n = 0; n < kills; n += 1) {
    // Agents take a moment to come back; a life without them would be shorter than any fault.
    await waitFor(() => traffic.isUnderWay(), { limitMs: UNDER_WAY_MS });
    await pause(LIFE_MS[0] + around.random() * (LIFE_MS[1] - LIFE_MS[0]));
    await life.kill();
    life = await subject.start();
    readiness.add(life);
  }
  // So that agents are back and hand in what waited.
  await pause(1_000);
  await traffic.stop();
  const { acknowledged, problems } = await traffic.audit();
  return {
    isKept: problems.length === 0 && readiness.isInTime(),
    done: `${kills} kills under load`,
    acknowledged,
    found: `${toFound(problems)}; ${readiness.toText()}`,
  };
}

/** Kills a small program that counts, and compares the last number it said with what is on the disk. */
export async function killWriter(around: Surroundings, kind: WriterKind): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-chaos-"));
  around.onEnd(() => rm(folder, { recursive: true, force: true }));
  const kills = around.rounds(2, 6);
  let lost = 0;
  let total = 0;
  for (let n = 0; n < kills; n += 1) {
    const writer = startWriter(around, kind, folder);
    await waitFor(() => writer.acknowledged() > total + 3, { limitMs: 20_000, everyMs: 5 });
    await pause(around.random() * 200);
    await writer.kill();
    const found = await readCount(kind, folder).catch(() => 0);
    lost += Math.max(0, writer.acknowledged() - found);
    total = Math.max(total, found);
  }
  return {
    isKept: lost === 0 && total > 0,
    done: `${kills} kills of a program that counts`,
    acknowledged: `${total + lost} numbers`,
    found: `${lost} lost`,
  };
}

const onFiles = (service: ServiceName): Part => ({
  name: `${service}, files`,
  run: (around) => killProgram(around, service, {}),
});
const onPostgres = (service: ServiceName): Part => ({
  name: `${service}, PostgreSQL`,
  isLong: service !== "shop",
  run: async (around) => killProgram(around, service, { DATABASE_URL: await createDatabase(around) }),
});

/** See the module's header. */
export const kill: ChaosCase = {
  name: "kill",
  promise: "SIGKILL under load: nothing acknowledged is lost, ready again in 5 s",
  parts: [
    onFiles("monitor"),
    onFiles("auth"),
    onFiles("shop"),
    onPostgres("monitor"),
    onPostgres("auth"),
    onPostgres("shop"),
    { name: "JSON store alone", run: (around) => killWriter(around, "ours") },
    {
      name: "plain lowdb, answers before it has written",
      isControl: true,
      run: (around) => killWriter(around, "no-wait"),
    },
  ],
};
