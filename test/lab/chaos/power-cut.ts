/** Power cuts: the real programs on a file system that ends as if by one, and simulated cuts by the hundred. */
import { join } from "node:path";
import { measurePowerCuts } from "../bench/store-power-cut.ts";
import { type ChaosCase, type Found, type Surroundings, pause, waitFor } from "./case.ts";
import { createFragileDisk } from "./fragile-disk.ts";
import { createReadiness } from "./readiness.ts";
import { createSubject } from "./subject.ts";
import { createTraffic, toFound } from "./traffic.ts";
import { readCount, startWriter } from "./writer.ts";

const UNDER_WAY_MS = 20_000;

async function cutPrograms(around: Surroundings): Promise<Found> {
  const disk = await createFragileDisk(around);
  const services = ["monitor", "auth", "shop"] as const;
  const subject = await createSubject(around, { services, env: { DATA_DIR: join(disk.folder, "data") } });
  let life = await subject.start();
  const traffic = createTraffic(subject, services);
  await traffic.prepare();
  traffic.start();
  const cuts = around.rounds(1, 4);
  const readiness = createReadiness(around);
  for (let n = 0; n < cuts; n += 1) {
    await waitFor(() => traffic.isUnderWay(), { limitMs: UNDER_WAY_MS });
    await pause(500 + around.random() * 1_500);
    await disk.cut();
    // Later responses rely on a disk that accepts no more writes.
    await pause(300);
    await life.kill();
    await disk.reboot();
    life = await subject.start();
    readiness.add(life);
  }
  await pause(1_000);
  await traffic.stop();
  const { acknowledged, problems } = await traffic.audit();
  await life.kill();
  return {
    isKept: problems.length === 0 && readiness.isInTime(),
    done: `${cuts} power cuts under load, on ext4`,
    acknowledged,
    found: `${toFound(problems)}; ${readiness.toText()}`,
  };
}

/** A power cut to a program that answers before it has synced. */
export async function cutCareless(around: Surroundings): Promise<Found> {
  const disk = await createFragileDisk(around);
  const writer = startWriter(around, "no-sync", disk.folder);
  await waitFor(() => writer.acknowledged() > 20, { limitMs: 20_000 });
  await disk.cut();
  await writer.kill();
  await disk.reboot();
  const found = await readCount("no-sync", disk.folder).catch(() => 0);
  const lost = writer.acknowledged() - found;
  return {
    isKept: lost <= 0,
    done: "1 power cut on ext4",
    acknowledged: `${writer.acknowledged()} numbers`,
    found: `${lost} lost`,
  };
}

async function simulate(around: Surroundings, side: "ours" | "other"): Promise<Found> {
  const cuts = around.rounds(20, 300);
  const { ours, other } = await measurePowerCuts(cuts);
  const lost = side === "ours" ? ours : (other?.value ?? 0);
  return {
    isKept: lost === 0,
    done: `${cuts} simulated cuts, right after a file operation`,
    acknowledged: "",
    found: `${lost.toFixed(1)} % of what was acknowledged is lost`,
  };
}

/** See the module's header. */
export const powerCut: ChaosCase = {
  name: "power-cut",
  promise:
    "Power cut: an answer leaves only after the sync, so nothing acknowledged is lost; ready again in 5 s",
  parts: [
    { name: "all services on a real file system", run: cutPrograms },
    { name: "plain lowdb on a real file system", isControl: true, run: cutCareless },
    { name: "JSON store, simulated disk", run: (around) => simulate(around, "ours") },
    { name: "plain lowdb, simulated disk", isControl: true, run: (around) => simulate(around, "other") },
  ],
};
