/** The load of a soak, a process of its own: fleet, viewers and people. */
import process from "node:process";
import { z } from "zod";
import { type FleetProgress, runFleet } from "../fleet/run.ts";
import { verifyFleet } from "../fleet/verify.ts";
import { type KindCounts, createCalls, pace } from "./calls.ts";
import { createPeople } from "./people.ts";

export const loadOrderSchema = z.object({
  seconds: z.number(),
  agents: z.number(),
  viewers: z.number(),
  people: z.number(),
  adminToken: z.string(),
  monitorUrl: z.string(),
  grpc: z.string(),
  authUrl: z.string(),
  shopUrl: z.string(),
});
export type LoadOrder = z.infer<typeof loadOrderSchema>;

/** What the load tells; `isLast` with what was found when everything had been acknowledged. */
export interface LoadNews {
  readonly isLast: boolean;
  readonly fleet: Omit<FleetProgress, "serverProcess">;
  readonly kinds: readonly KindCounts[];
  readonly records: number;
  readonly missingReports: number;
  readonly examples: readonly string[];
}

/** Streams that agents share; a proxy in front of a service would do the same. */
const CONNECTIONS = 20;
const INTERVAL_MS = 3_000;

async function run(order: LoadOrder): Promise<void> {
  const calls = createCalls();
  const people = await createPeople({ ...order, calls, rate: order.people });
  calls.take();
  const tell = (news: Pick<LoadNews, "isLast" | "fleet" | "missingReports">): void => {
    const told: LoadNews = {
      ...news,
      kinds: calls.take(),
      records: people.records,
      examples: calls.examples,
    };
    process.send?.(told);
  };
  const stopPeople = pace(people.works);
  const { accounts, ...fleet } = await runFleet({
    agents: order.agents,
    viewers: order.viewers,
    seconds: order.seconds,
    intervalMs: INTERVAL_MS,
    connections: CONNECTIONS,
    mode: "delta",
    gzip: true,
    server: order.grpc,
    url: order.monitorUrl,
    adminToken: order.adminToken,
    onProgress: (progress) => tell({ isLast: false, fleet: progress, missingReports: 0 }),
  });
  await stopPeople();
  const { missing } = await verifyFleet({ url: order.monitorUrl, adminToken: order.adminToken, accounts });
  tell({ isLast: true, fleet, missingReports: missing });
}

// The parent is gone: results would be lost.
process.once("disconnect", () => process.exit());
process.once("message", (message) => {
  run(loadOrderSchema.parse(message)).then(
    () => process.disconnect(),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
