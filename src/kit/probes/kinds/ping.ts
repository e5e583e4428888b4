/** Whether a machine is there at all: by the system's `ping`, as a list of arguments without a shell, or by TCP. */
import { spawn } from "node:child_process";
import process from "node:process";
import { z } from "zod";
import { codeOf } from "../../thrown.ts";
import { describePlace, hostSchema, portSchema } from "../fields.ts";
import { openTcp } from "../open-socket.ts";
import { type ProbeForm, type ProbeKind, type ProbeResult, noSecrets } from "../probe.ts";
import { ProbeFailure, runTry, type Try } from "../try.ts";

const settings = () => ({
  host: hostSchema,
  /** "icmp" needs the system's `ping`; "tcp" connects, and a refusal is an answer too. */
  way: z.enum(["icmp", "tcp"]).default("tcp"),
  /** Of "tcp". */
  port: portSchema.default(443),
});

/** Output of `ping` that is kept, characters. */
const MAX_OUTPUT = 4_096;

type PingOutcome =
  /** `latencyMs` as ping says it; absent where it does not. */
  | { readonly kind: "answered"; readonly latencyMs?: number | undefined }
  | { readonly kind: "silent" }
  /** There is no `ping` here, or it may not do what it has to. */
  | { readonly kind: "unsupported"; readonly reason: string };

function toOutcome(code: number | null, output: string): PingOutcome {
  if (code === 0) {
    const ms = /time[=<]([0-9.]{1,12}) ?ms/u.exec(output)?.[1];
    return { kind: "answered", latencyMs: ms === undefined ? undefined : Number(ms) };
  }
  if (/not permitted|permission denied|cap_net_raw|are you root/iu.test(output))
    return {
      kind: "unsupported",
      reason:
        "The ping program is not permitted to send packets here: allow it in net.ipv4.ping_group_range, or choose TCP",
    };
  if (/invalid option|unrecognized option|usage:/iu.test(output))
    return { kind: "unsupported", reason: "The ping program of this location is not supported" };
  return { kind: "silent" };
}

/** Asks an address, which must be one (never a name, never anything else); ends with `signal` at the latest. */
function runPing(
  address: string,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<PingOutcome> {
  const { platform, env } = process;
  if (platform === "win32")
    return Promise.resolve({
      kind: "unsupported",
      reason: "This operating system has no supported ping program",
    });
  return new Promise((resolve) => {
    let output = "";
    const take = (chunk: Buffer): void => {
      if (output.length < MAX_OUTPUT) output = (output + chunk.toString("latin1")).slice(0, MAX_OUTPUT);
    };
    // -W is in seconds on Linux alone; elsewhere the signal ends it.
    const wait = platform === "linux" ? ["-W", String(Math.max(1, Math.ceil(timeoutMs / 1_000)))] : [];
    const fail = (error: unknown): void =>
      resolve({
        kind: "unsupported",
        reason:
          codeOf(error) === "ENOENT"
            ? "There is no ping program here: install it (Debian: iputils-ping, Alpine: iputils), or choose TCP"
            : `The ping program cannot be run here (${codeOf(error) ?? "denied"})`,
      });
    try {
      const child = spawn("ping", ["-n", "-c", "1", ...wait, address], {
        stdio: ["ignore", "pipe", "pipe"],
        env: { PATH: env["PATH"] ?? "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C" },
        signal,
        killSignal: "SIGKILL",
      });
      child.stdout.on("data", take);
      child.stderr.on("data", take);
      child.on("error", (error) => (signal.aborted ? resolve({ kind: "silent" }) : fail(error)));
      child.on("close", (code) => resolve(toOutcome(code, output)));
    } catch (error) {
      fail(error);
    }
  });
}

async function askByPing(run: Try, addresses: readonly string[]): Promise<ProbeResult> {
  const [address] = addresses;
  if (address === undefined) throw new ProbeFailure("dns", "The name has no IP address");
  run.begin("firstByte");
  const { signal, context } = run;
  const outcome = await runPing(address, { signal, timeoutMs: context.timeoutMs });
  if (outcome.kind === "unsupported") throw new ProbeFailure("unsupported", outcome.reason);
  if (outcome.kind === "silent") throw new ProbeFailure("timeout", `No ping reply from ${address}`);
  return {
    latencyMs: outcome.latencyMs ?? run.elapsedMs(),
    detail: `${address} replied to ping`,
  };
}

/** A refusal comes from the machine itself, so it is there. */
async function askByTcp(
  run: Try,
  { addresses, port }: { addresses: readonly string[]; port: number },
): Promise<ProbeResult> {
  try {
    const { socket, address } = await openTcp(addresses, { run, port });
    const latencyMs = run.elapsedMs();
    socket.destroy();
    return { latencyMs, detail: `${address} accepted a connection on port ${port}` };
  } catch (error) {
    const failure = run.toFailure(error);
    if (failure.fault !== "refused" && failure.fault !== "reset") throw failure;
    return {
      latencyMs: run.elapsedMs(),
      detail: `Refused the connection on port ${port}, so the host is up`,
    };
  }
}

export const ping: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof noSecrets>> = {
  settings,
  secrets: noSecrets,
  address: ({ host }) => host,
  host: ({ host }) => host,
  describe: ({ host, way, port }) =>
    way === "icmp" ? `ping ${host}` : `ping ${describePlace({ host, port })} by TCP`,
  probe: ({ host, way, port }, context) =>
    runTry(context, async (run) => {
      const addresses = await run.findAddresses(host);
      return way === "icmp" ? askByPing(run, addresses) : askByTcp(run, { addresses, port });
    }),
};

export const pingForm: ProbeForm<ReturnType<typeof settings>> = {
  icon: "target",
  name: "{host}",
  fields: {
    host: { placeholder: "db.example.org" },
    way: {},
    port: { when: { name: "way", among: ["tcp"] } },
  },
};
