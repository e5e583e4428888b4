/** Exchanges a single-use code for an id and a key. */
import { listCertificates } from "./authorities.ts";
import { type PostAnswer, postJson } from "./http-post.ts";
import type { StoredIdentity } from "../identity.ts";
import { type LookUp, findPlace } from "./own-network.ts";
import type { FailureCause } from "../status-file.ts";
import { explainTlsFailure } from "./tls-failure.ts";

export interface EnrolOptions {
  /** Address of the service over HTTP, "http://host:8080". */
  readonly url: string;
  readonly code: string;
  readonly hostname: string;
  /** The machine's current identity; the service may tell it to keep it. */
  readonly present?: { readonly id: string; readonly key: string } | undefined;
  /** Wins over the gRPC address that the service names. */
  readonly server?: string;
  /** PEM text of authorities to trust when `url` is https. */
  readonly ca?: string;
  /** Whether code and key may leave the own network over http. Default false. */
  readonly insecure?: boolean;
  /** Default: what the system says. */
  readonly lookUp?: LookUp | undefined;
}

/** An enrolment that failed, and of what kind of thing. */
export class EnrolError extends Error {
  override readonly name = "EnrolError";
  readonly failure: FailureCause;

  constructor(failure: FailureCause, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

const DEFAULT_GRPC_PORT = 50051;

function readMember(answer: unknown, name: string): unknown {
  if (typeof answer !== "object" || answer === null) return undefined;
  return Object.getOwnPropertyDescriptor(answer, name)?.value;
}

function readText(answer: unknown, name: string): string | undefined {
  const value = readMember(answer, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function toFailure({ status, body }: PostAnswer): EnrolError {
  const reason = readText(body, "detail") ?? readText(body, "title") ?? `HTTP ${status}`;
  const advice = status >= 500 ? "try again later" : "create a new command in the dashboard";
  return new EnrolError(
    status >= 500 || status === 429 ? "unreachable" : "key",
    `The service rejected the enrollment of this machine (${reason}): ${advice}`,
  );
}

async function post(target: string, options: EnrolOptions): Promise<PostAnswer> {
  const { code, hostname, present, ca } = options;
  try {
    return await postJson(target, {
      body: { code, hostname, present },
      ...(ca === undefined ? {} : { ca: listCertificates(ca) }),
    });
  } catch (error) {
    const tls = explainTlsFailure(error, { hasCa: ca !== undefined });
    const text = tls === undefined ? "cannot be reached: check --url" : `cannot be used, ${tls}`;
    const failure = tls === undefined ? "unreachable" : "certificate";
    throw new EnrolError(failure, `"${target}" ${text}`, { cause: error });
  }
}

/** The code and the key in the answer are as good as the machine: they leave the own network over TLS alone. */
async function assertPrivate({ url, insecure, lookUp }: EnrolOptions): Promise<void> {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || insecure === true) return;
  const place = await findPlace(hostname, lookUp);
  if (place === "own network") return;
  throw new EnrolError(
    "privacy",
    `"${url}" is ${place === "unknown" ? "not known to be" : "not"} in your own network, and over http others on ` +
      "the way can read the enrollment key and the agent key. Use an https URL with --url, or --insecure to accept the risk",
  );
}

/** Enrols this machine. `tls` is what the service says, absent when it says nothing. @throws Error with what to do */
export async function enrol(options: EnrolOptions): Promise<Omit<StoredIdentity, "ca" | "insecure">> {
  await assertPrivate(options);
  const target = `${options.url.replace(/(?<!\/)\/+$/u, "")}/api/enrol`;
  const answer = await post(target, options);
  if (answer.status >= 300 && answer.status < 400) {
    throw new Error(`"${target}" redirects to another URL. Use that one with --url`);
  }
  if (answer.status >= 400) throw toFailure(answer);
  const { body } = answer;
  const id = readText(body, "id");
  // Without a key in the answer the machine goes on with the one that it has.
  const known = id === options.present?.id ? options.present?.key : undefined;
  const key = readText(body, "key") ?? readText(body, "agentKey") ?? known;
  if (id === undefined || key === undefined) {
    throw new Error(
      `"${target}" did not respond with an ID and a key. Check that --url is the URL of the monitor`,
    );
  }
  const named = options.server ?? readText(body, "server") ?? readText(body, "grpcServer");
  const tls = readMember(body, "tls");
  return {
    id,
    key,
    server: named ?? `${new URL(options.url).hostname}:${DEFAULT_GRPC_PORT}`,
    ...(typeof tls === "boolean" ? { tls } : {}),
  };
}
