/** Exchanges a single-use code for an id and a key. Hidden here: the request and what its failures mean. */
import type { StoredIdentity } from "./identity.ts";

export interface EnrolOptions {
  /** Address of the service over HTTP, "http://host:8080". */
  readonly url: string;
  readonly code: string;
  readonly hostname: string;
  /** Wins over the gRPC address that the service names. */
  readonly server?: string;
  readonly fetch?: typeof fetch;
}

const DEFAULT_GRPC_PORT = 50051;
const TIMEOUT_MS = 15_000;

function readText(answer: unknown, name: string): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(answer, name)?.value;
  return typeof value === "string" && value !== "" ? value : undefined;
}

async function readFailure(response: Response): Promise<string> {
  const answer: unknown = await response.json().catch(() => undefined);
  const reason = readText(answer, "detail") ?? readText(answer, "title") ?? `HTTP ${response.status}`;
  const advice =
    response.status >= 500
      ? "try again later"
      : "make a new code in the dashboard, it works once for 10 minutes";
  return `The service refused to enrol this machine (${reason}): ${advice}`;
}

/** Enrols this machine. @throws Error with what to do */
export async function enrol(options: EnrolOptions): Promise<StoredIdentity> {
  const target = `${options.url.replace(/\/+$/u, "")}/api/enrol`;
  let response: Response;
  try {
    response = await (options.fetch ?? fetch)(target, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: options.code, hostname: options.hostname }),
      // A redirect could carry the code elsewhere.
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    throw new Error(`"${target}" cannot be reached: check --url`, { cause: error });
  }
  if (!response.ok) throw new Error(await readFailure(response));
  const answer: unknown = await response.json().catch(() => undefined);
  const id = readText(answer, "id");
  const key = readText(answer, "key") ?? readText(answer, "agentKey");
  if (id === undefined || key === undefined) {
    throw new Error(`"${target}" did not answer with an id and a key: is it this service?`);
  }
  const named = options.server ?? readText(answer, "server") ?? readText(answer, "grpcServer");
  return { id, key, server: named ?? `${new URL(options.url).hostname}:${DEFAULT_GRPC_PORT}` };
}
