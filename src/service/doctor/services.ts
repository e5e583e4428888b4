/** Whether each service answers on this machine, and whether those that don't could start: their ports are free. */
import { lstat } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { dirname } from "node:path";
import { z } from "zod";
import type { Config } from "../../config.ts";
import type { ServiceName } from "../../kit/services.ts";
import { causesOf, codeOf, textOf } from "../../kit/thrown.ts";
import { toShownUrl } from "../../kit/outbound/unix-socket.ts";
import { type SocketAddress, isSocketAddress, toSocketPath } from "../../kit/text/socket-address.ts";
import { toInternalUrl } from "../local-url.ts";
import { type Finding, createFindings } from "./finding.ts";
import { type DoctorPlace, PATIENCE_MS, ask } from "./place.ts";

const healthSchema = z.object({
  status: z.enum(["ok", "degraded", "failing"]),
  version: z.string(),
  checks: z.record(z.string(), z.object({ status: z.string() })),
});

const { ok, warning, problem } = createFindings("services");
const ports = createFindings("ports");

/** The health report of an answer; undefined when it is none of Trivet's. */
export function readHealth(json: unknown): z.infer<typeof healthSchema> | undefined {
  return healthSchema.safeParse(json).data;
}

/** The `code` of the error that an address failed with, such as "ECONNREFUSED". */
export function findCode(error: unknown): string {
  for (const cause of causesOf(error)) {
    const code = codeOf(cause instanceof AggregateError ? cause.errors[0] : cause);
    if (code !== undefined) return code;
  }
  return "";
}

function describeHealth(
  service: ServiceName,
  { status, version, checks }: z.infer<typeof healthSchema>,
): Finding {
  const failing = Object.entries(checks)
    .filter(([, check]) => check.status !== "ok")
    .map(([name]) => name)
    .join(", ");
  if (status === "ok") return ok(`The ${service} responds (version ${version})`);
  const advice = `Search its log for "A health check failed", which has the cause`;
  const message = `The ${service} responds, but these checks fail: ${failing}`;
  return status === "degraded" ? warning(message, advice) : problem(message, advice);
}

/** Whether something takes connections at a port or a socket of this machine. */
async function isOpen(place: { host: string; port: number } | { path: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place);
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PATIENCE_MS, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

/** Whether a port could be listened on; undefined when it could. */
async function findPortFault(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", (error) => resolve(findCode(error) || textOf(error)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Of a service that is stopped: whether it could listen there. */
async function checkSocket(address: SocketAddress, variable: string): Promise<Finding> {
  try {
    await lstat(dirname(toSocketPath(address)));
    return ports.ok(`The folder of ${address} exists`);
  } catch {
    return ports.warning(
      `The folder of ${address} does not exist`,
      `systemd creates the folder with RuntimeDirectory= when the service starts. Otherwise create it, or change ${variable}`,
    );
  }
}

async function checkPort(
  { host }: Pick<Config, "host">,
  { service, variable, port }: { service: string; variable: string; port: number | SocketAddress },
): Promise<Finding> {
  if (isSocketAddress(port)) return checkSocket(port, variable);
  const fault = await findPortFault(host, port);
  if (fault === undefined) return ports.ok(`Port ${port} is free for the ${service}`);
  if (fault === "EADDRINUSE")
    return ports.problem(
      `Port ${port} of the ${service} is used by another program`,
      `Stop that program (ss -ltnp shows it), or set ${variable} to another port`,
    );
  if (fault === "EACCES")
    return ports.problem(
      `The system denies access to port ${port} of the ${service}`,
      `Set ${variable} to a port from 1024 up`,
    );
  return ports.problem(
    `The ${service} cannot listen on ${host}:${port} (${fault})`,
    // Deno says EINVAL.
    fault === "EADDRNOTAVAIL" || fault === "EINVAL"
      ? "Set HOST to an IP address of this machine"
      : `Check HOST and ${variable}`,
  );
}

interface Looked {
  readonly findings: readonly Finding[];
  readonly isRunning: boolean;
}

async function lookAt(place: DoctorPlace, service: ServiceName): Promise<Looked> {
  const { config } = place;
  const url = toInternalUrl(config, service);
  const own = config.ports[service];
  const isShared = own === "off";
  const port = isShared ? config.gatewayPort : own;
  const variable = isShared ? "GATEWAY_PORT" : `${service.toUpperCase()}_PORT`;
  if (url === "" || port === undefined || port === 0)
    return {
      findings: [warning(`The port of the ${service} is unknown`, `Set ${variable}`)],
      isRunning: false,
    };
  try {
    const { json, status } = await ask(place, `${url}/api/health`);
    const health = readHealth(json);
    if (health !== undefined) return { findings: [describeHealth(service, health)], isRunning: true };
    const message = `${isSocketAddress(port) ? port : `Port ${port}`} responds with status ${status}, but is not the ${service}`;
    const advice = isShared
      ? `Check that the process with GATEWAY_PORT runs the ${service}`
      : `Another program uses this port. Stop it, or set ${variable} to another port`;
    return { findings: [problem(message, advice)], isRunning: false };
  } catch (error) {
    const code = findCode(error);
    if (code === "EACCES")
      return {
        findings: [
          warning(
            `This user is not allowed to connect to ${toShownUrl(url)}`,
            "Run the command as root, or as the user of the service",
          ),
        ],
        isRunning: false,
      };
    if (code !== "ECONNREFUSED" && !(isSocketAddress(port) && code === "ENOENT")) {
      const advice = "Restart the service if it hangs. If another program uses the port, stop that program";
      return {
        findings: [
          problem(`The ${service} does not respond at ${toShownUrl(url)}: ${textOf(error)}`, advice),
        ],
        isRunning: false,
      };
    }
    const advice =
      "If the service should run, start it and read its log (journalctl -u trivet, or docker compose logs)";
    const stopped = `The ${service} is not running at ${toShownUrl(url)}`;
    const finding = place.mustRun ? problem(stopped, advice) : warning(stopped, advice);
    return { findings: [finding, await checkPort(config, { service, variable, port })], isRunning: false };
  }
}

async function checkAgentPort({ config }: DoctorPlace, isRunning: boolean): Promise<Finding[]> {
  const { host, grpc } = config;
  if (grpc.port === 0) return [];
  if (!isRunning)
    return [await checkPort(config, { service: "agents' listener", variable: "GRPC_PORT", port: grpc.port })];
  const isAny = host === "0.0.0.0" || host === "::";
  const { port } = grpc;
  const place = isSocketAddress(port)
    ? { path: toSocketPath(port) }
    : { host: isAny ? "127.0.0.1" : host, port };
  const shown = isSocketAddress(port) ? port : `port ${port}`;
  if (await isOpen(place)) return [ports.ok(`Agents can connect to ${shown}`)];
  return [
    ports.problem(
      `No program listens on ${shown}, where agents report`,
      "Read the log of the monitor. A firewall is not the cause, because this check runs on the same machine",
    ),
  ];
}

/** Checks each service; returns the running ones. */
export async function checkServices(
  place: DoctorPlace,
): Promise<{ findings: Finding[]; running: readonly ServiceName[] }> {
  const looked = await Promise.all(
    place.services.map(async (service) => ({ service, ...(await lookAt(place, service)) })),
  );
  const running = looked.filter(({ isRunning }) => isRunning).map(({ service }) => service);
  const agents = place.services.includes("monitor")
    ? await checkAgentPort(place, running.includes("monitor"))
    : [];
  return { findings: [...looked.flatMap(({ findings }) => findings), ...agents], running };
}
