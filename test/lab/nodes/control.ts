/** A cluster that other processes on this machine may control: tests end nodes, and stop what nodes need. */
import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { newSecret } from "../../../src/kit/secrets/id.ts";
import { textOf } from "../../../src/kit/thrown.ts";
import { clusterAddresses, nodeNames } from "./addresses.ts";
import type { Cluster } from "./cluster.ts";

const nodeCommand = z.object({ target: z.enum(nodeNames), do: z.enum(["start", "stop", "kill"]) });
const partCommand = z.object({ target: z.enum(["postgres", "nats"]), do: z.enum(["start", "kill"]) });
const frontCommand = z.object({ target: z.literal("front"), do: z.literal("reload") });

/** The available commands. */
export const controlCommand = z.discriminatedUnion("target", [nodeCommand, partCommand, frontCommand]);
export type ControlCommand = z.infer<typeof controlCommand>;

/** Configuration of a controlling process, as JSON in the variable {@link CLUSTER_VARIABLE}. */
export const clusterAccess = clusterAddresses.extend({ controlUrl: z.url(), controlToken: z.string() });
export type ClusterAccess = z.infer<typeof clusterAccess>;

/** Carries a {@link ClusterAccess} to the tests. */
export const CLUSTER_VARIABLE = "TRIVET_NODES";

/** A door to a cluster. */
export interface Control {
  readonly access: ClusterAccess;
  close(): Promise<void>;
}

async function carryOut(cluster: Cluster, command: ControlCommand): Promise<unknown> {
  switch (command.target) {
    case "postgres":
    case "nats":
      return command.do === "start" ? cluster[command.target].start() : cluster[command.target].kill();
    case "front":
      return cluster.front.reload();
    case "a":
    case "b":
      return cluster.nodes[command.target][command.do]();
  }
}

/** Opens the door; each request carries one command, and is answered when it is done. */
export async function openControl(cluster: Cluster): Promise<Control> {
  const controlToken = newSecret("ctl");
  const server = createServer((request, response) => {
    const answer = async (): Promise<unknown> => {
      if (request.headers.authorization !== `Bearer ${controlToken}`) throw new Error("The token is wrong");
      return carryOut(cluster, controlCommand.parse(await json(request)));
    };
    answer().then(
      (value) => response.end(JSON.stringify({ value: value ?? null })),
      (error: unknown) => response.writeHead(500).end(textOf(error)),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    access: { ...cluster.addresses, controlUrl: `http://127.0.0.1:${port}/`, controlToken },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
