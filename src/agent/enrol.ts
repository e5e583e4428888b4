/** Exchanges a single-use code for an id and a key. Hidden here: the request and what its failures mean. */
import { listCertificates } from "./authorities.ts";
import type { PostAnswer } from "./http-post.ts";
import { postJson } from "./http-post.ts";
import type { StoredIdentity } from "./identity.ts";
import { explainTlsFailure } from "./tls-failure.ts";

export interface EnrolOptions {
  /** Address of the service over HTTP, "http://host:8080". */
  readonly url: string;
  readonly code: string;
  readonly hostname: string;
  /** Wins over the gRPC address that the service names. */
  readonly server?: string;
  /** PEM text of authorities to trust when `url` is https. */
  readonly ca?: string;
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

function describeFailure({ status, body }: PostAnswer): string {
  const reason = readText(body, "detail") ?? readText(body, "title") ?? `HTTP ${status}`;
  const advice =
    status >= 500 ? "try again later" : "make a new code in the dashboard, it works once for 10 minutes";
  return `The service refused to enrol this machine (${reason}): ${advice}`;
}

async function post(target: string, options: EnrolOptions): Promise<PostAnswer> {
  const { code, hostname, ca } = options;
  try {
    return await postJson(target, {
      body: { code, hostname },
      ...(ca === undefined ? {} : { ca: listCertificates(ca) }),
    });
  } catch (error) {
    const tls = explainTlsFailure(error, { hasCa: ca !== undefined });
    const text = tls === undefined ? "cannot be reached: check --url" : `cannot be used, ${tls}`;
    throw new Error(`"${target}" ${text}`, { cause: error });
  }
}

/** Enrols this machine. `tls` is what the service says, absent when it says nothing. @throws Error with what to do */
export async function enrol(options: EnrolOptions): Promise<Omit<StoredIdentity, "ca">> {
  const target = `${options.url.replace(/(?<!\/)\/+$/u, "")}/api/enrol`;
  const answer = await post(target, options);
  if (answer.status >= 300 && answer.status < 400) {
    throw new Error(`"${target}" redirects to another address: give that one with --url`);
  }
  if (answer.status >= 400) throw new Error(describeFailure(answer));
  const { body } = answer;
  const id = readText(body, "id");
  const key = readText(body, "key") ?? readText(body, "agentKey");
  if (id === undefined || key === undefined) {
    throw new Error(`"${target}" did not answer with an id and a key: is it this service?`);
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
