/** Prometheus and promtool as processes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import process from "node:process";
import { z } from "zod";
import { unpackPackage } from "../../support/debian.ts";
import { projectFolder, runProcess } from "../../support/process.ts";

export interface PrometheusTools {
  readonly prometheus: string;
  readonly promtool: string;
  readonly version: string;
}

export interface Prometheus {
  /** An instant query: the label "server" → value. */
  query(text: string): Promise<ReadonlyMap<string, number>>;
  /** Health and last error of its targets, for a person. */
  describeTarget(): Promise<string>;
  stop(): Promise<void>;
}

const TOOL_MS = 60_000;

const queryAnswer = z.object({
  data: z.object({
    result: z.array(
      z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) }),
    ),
  }),
});
const targetsAnswer = z.object({
  data: z.object({ activeTargets: z.array(z.object({ health: z.string(), lastError: z.string() })) }),
});

const dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

async function findOnPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, name);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (folder !== "" && isThere) return path;
  }
  return undefined;
}

/** The system's Prometheus, or Debian's package unpacked below `folder`. @throws Error when neither can be had */
export async function findPrometheus(folder: string): Promise<PrometheusTools> {
  let [prometheus, promtool] = [await findOnPath("prometheus"), await findOnPath("promtool")];
  if (prometheus === undefined || promtool === undefined) {
    await unpackPackage("prometheus", folder);
    [prometheus, promtool] = [join(folder, "usr/bin/prometheus"), join(folder, "usr/bin/promtool")];
  }
  const { output } = await runProcess({ command: prometheus, args: ["--version"], timeoutMs: TOOL_MS });
  return { prometheus, promtool, version: output.split("\n")[0] ?? "" };
}

/** The YAML blocks in docs/prometheus.md are tested unchanged. */
async function readBlock(beginning: string): Promise<string> {
  const text = await readFile(join(projectFolder, "docs/prometheus.md"), "utf8");
  for (const [, block = ""] of text.matchAll(/^```yaml\n(.*?)^```$/gmsu))
    if (block.startsWith(beginning)) return block;
  throw new Error(`docs/prometheus.md has no block of YAML that begins with "${beginning}"`);
}

/** The output of promtool, "ok" without any. @throws Error when it found something wrong */
async function runPromtool(tools: PrometheusTools, command: string): Promise<string> {
  // Through the shell, because promtool reads metrics from its standard input.
  const result = await runProcess({
    command: "sh",
    args: ["-c", `"${tools.promtool}" ${command}`],
    timeoutMs: TOOL_MS,
  });
  if (result.code !== 0) throw new Error(`promtool ${command}: ${result.output}`);
  return result.output.trim() === "" ? "ok" : result.output.trim();
}

/** OpenMetrics as the older text format, in which a counter's family carries the suffix of its samples too. */
function toOlderFormat(text: string): string {
  const counters = [...text.matchAll(/^# TYPE (\S+) counter$/gmu)].map((match) => match[1] ?? "");
  return counters.reduce(
    (changed, name) =>
      changed.replaceAll(new RegExp(`^# (TYPE|HELP) ${name} `, "gmu"), `# $1 ${name}_total `),
    text,
  );
}

/** Lets promtool, which reads only the older text format, look through the text of /metrics. */
export async function checkMetricsText(
  tools: PrometheusTools,
  { text, folder }: { readonly text: string; readonly folder: string },
): Promise<string> {
  const path = join(folder, "metrics.txt");
  await writeFile(path, toOlderFormat(text));
  return runPromtool(tools, `check metrics < "${path}"`);
}

/** Lets promtool look through the alert rules of docs/prometheus.md. */
export async function checkAlertRules(tools: PrometheusTools, folder: string): Promise<string> {
  const path = join(folder, "rules.yml");
  await writeFile(path, await readBlock("groups:"));
  return runPromtool(tools, `check rules "${path}"`);
}

/** The queries of docs/grafana/trivet-monitor.json, with its variables filled in. */
export async function readDashboardQueries(): Promise<string[]> {
  const text = await readFile(join(projectFolder, "docs/grafana/trivet-monitor.json"), "utf8");
  return dashboard
    .parse(JSON.parse(text))
    .panels.flatMap(({ targets }) => targets)
    .map(({ expr }) => expr.replaceAll("$__rate_interval", "1m").replaceAll(/\$(?:server|job)\b/gu, ".*"));
}

async function ask(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`Prometheus answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Starts Prometheus with the scrape configuration of docs/prometheus.md, every second. */
export async function startPrometheus(
  tools: PrometheusTools,
  options: { readonly folder: string; readonly target: string; readonly token: string },
): Promise<Prometheus> {
  const { folder, target, token } = options;
  const tokenFile = join(folder, "token");
  await writeFile(tokenFile, token, { mode: 0o600 });
  const config = (await readBlock("scrape_configs:"))
    .replace(/credentials_file: .*/u, `credentials_file: ${tokenFile}`)
    .replace(/scrape_interval: .*/u, "scrape_interval: 1s")
    .replace(/scheme: https/u, "scheme: http")
    .replace(/targets: .*/u, `targets: ["${target}"]`);
  await writeFile(join(folder, "prometheus.yml"), config);
  const child = spawn(
    tools.prometheus,
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "tsdb")}`,
      "--web.listen-address=127.0.0.1:0",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const onExit = (): void => void child.kill("SIGKILL");
  process.once("exit", onExit);
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const address = /msg="Listening on" address=(\S+:\d+)/u.exec(output)?.[1];
      if (address !== undefined) resolve(`http://${address}`);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Prometheus ended with ${code}: ${output}`)));
  });
  return {
    async query(text) {
      const answer = queryAnswer.parse(
        await ask(`${url}/api/v1/query?${new URLSearchParams({ query: text })}`),
      );
      return new Map(
        answer.data.result.map(({ metric, value }) => [metric["server"] ?? "", Number(value[1])]),
      );
    },
    async describeTarget() {
      const { data } = targetsAnswer.parse(await ask(`${url}/api/v1/targets`));
      return data.activeTargets.map(({ health, lastError }) => `${health} ${lastError}`).join(", ");
    },
    async stop() {
      process.off("exit", onExit);
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
