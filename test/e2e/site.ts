/** The real program with an administrator and agents, for tests in a browser. */
import assert from "node:assert/strict";
import { type DrivenAgent, startDrivenAgent } from "../lab/fleet/driven-agent.ts";
import { type Program, type Programs, type Runner, createPrograms } from "../support/program.ts";

/** The administrator's token in these tests. */
export const ADMIN_TOKEN = "adm_for-the-browser-tests";

export interface SiteOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Runs the program; default: the runtime of the test. */
  readonly runner?: Runner;
}

/** What a test says of a server; the rest stays as it is by default. */
export type ServerFields = Readonly<Record<string, unknown>> & { readonly name: string };

/** The numbers that a test gives an agent to report. */
export interface Sample {
  readonly cpuPercent?: number;
  readonly memoryPercent?: number;
  readonly rxBytesPerSecond?: number;
  readonly rxTotalBytes?: number;
  /** Further parts of the report, or others in the place of those. */
  readonly parts?: Readonly<Record<string, unknown>>;
  /** When it was collected, epoch ms; default: now. */
  readonly at?: number;
}

export interface TestAgent {
  /** Sends a report; resolves when it is stored. */
  report(sample?: Sample): Promise<void>;
  stop(): Promise<void>;
}

export interface Site {
  /** Without a slash at its end. */
  readonly url: string;
  /** "host:port" of the agents' listener. */
  readonly grpc: string;
  readonly folder: string;
  program(): Program;
  /** A request as administrator; gives the answer's JSON. @throws AssertionError unless the status is a success */
  admin(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Creates a server and returns its key. */
  addServer(fields: ServerFields): Promise<{ id: string; agentKey: string }>;
  /** Creates a server with an agent that has reported once. */
  addOnline(fields: ServerFields, sample?: Sample): Promise<{ id: string; agent: TestAgent }>;
  startAgent(key: { id: string; agentKey: string }): TestAgent;
  /** Ends the program as a power cut would. */
  kill(): Promise<void>;
  /** Starts the program again on the same folder and ports. */
  restart(): Promise<void>;
  /** Ends everything and removes the folder. */
  dispose(): Promise<void>;
}

const GIB = 1024 ** 3;
/** How much of the program's output a failure shows. */
const LOG_CHARS = 4_000;

/** A report as an agent of a small machine would send it. */
export function toPayload(sample: Sample = {}): string {
  const { cpuPercent = 12, memoryPercent = 40, rxBytesPerSecond = 2_048, rxTotalBytes = 5 * GIB } = sample;
  return JSON.stringify({
    v: 1,
    intervalMs: 3_000,
    uptimeSeconds: 86_400,
    host: {
      os: "linux",
      platform: "debian",
      platformVersion: "12",
      arch: "x86_64",
      cpuModel: "Test CPU",
      cpuCores: 2,
    },
    cpu: { usagePercent: cpuPercent, perCorePercent: [cpuPercent, cpuPercent] },
    load: { one: 0.1, five: 0.2, fifteen: 0.3 },
    memory: { totalBytes: 4 * GIB, usedBytes: Math.round((4 * GIB * memoryPercent) / 100) },
    disk: { totalBytes: 40 * GIB, usedBytes: 10 * GIB, readBytesPerSecond: 0, writeBytesPerSecond: 4_096 },
    network: { rxBytesPerSecond, txBytesPerSecond: 1_024, rxTotalBytes, txTotalBytes: 2 * GIB },
    connections: { tcp: 12, udp: 2 },
    processes: 99,
    ...sample.parts,
  });
}

async function request(
  url: string,
  { method, body }: { readonly method: string; readonly body: unknown },
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${url} answered ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

function isKey(value: unknown): value is { id: string; agentKey: string } {
  return typeof value === "object" && value !== null && "id" in value && "agentKey" in value;
}

function createAgents(address: string): Pick<Site, "startAgent"> & { stop(): Promise<void> } {
  const agents = new Set<DrivenAgent>();
  return {
    startAgent(key) {
      const agent = startDrivenAgent({ ...key, address });
      agents.add(agent);
      return {
        report: (sample) => agent.send(toPayload(sample), sample?.at),
        async stop() {
          agents.delete(agent);
          await agent.stop();
        },
      };
    },
    async stop() {
      await Promise.all([...agents].map((agent) => agent.stop()));
    },
  };
}

/** Starts the program with the monitor alone. */
export async function startSite({ env = {}, runner }: SiteOptions = {}): Promise<Site> {
  const programs: Programs = await createPrograms(["monitor"], runner);
  const variables = { ADMIN_TOKEN, LOG_LEVEL: "warn", ...env };
  try {
    let program = programs.run(variables);
    const ports = await programs.ports(program);
    const url = `http://127.0.0.1:${ports.http}`;
    const grpc = `127.0.0.1:${ports.grpc}`;
    const agents = createAgents(grpc);

    const admin: Site["admin"] = async (method, path, body) => {
      try {
        return await request(`${url}${path}`, { method, body });
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        throw new Error(`${text}\nThe program said: ${program.output().slice(-LOG_CHARS)}`, { cause: error });
      }
    };
    const addServer: Site["addServer"] = async (fields) => {
      const made = await admin("POST", "/api/admin/servers", fields);
      assert.ok(isKey(made));
      return { id: made.id, agentKey: made.agentKey };
    };
    return {
      url,
      grpc,
      folder: programs.folder,
      program: () => program,
      admin,
      addServer,
      startAgent: agents.startAgent,
      async addOnline(fields, sample) {
        const key = await addServer(fields);
        const agent = agents.startAgent(key);
        await agent.report(sample);
        return { id: key.id, agent };
      },
      async kill() {
        program.child.kill("SIGKILL");
        await program.ended;
      },
      async restart() {
        program = programs.run({
          ...variables,
          MONITOR_PORT: String(ports.http),
          GRPC_PORT: String(ports.grpc),
        });
        await programs.ports(program);
      },
      async dispose() {
        await agents.stop();
        await programs.dispose();
      },
    };
  } catch (error) {
    await programs.dispose();
    throw error;
  }
}
