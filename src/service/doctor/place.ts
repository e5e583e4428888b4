/** The installation that the doctor examines, and its tools. */
import type { Config } from "../../config.ts";
import type { ServiceName } from "../../kit/services.ts";
import type { Observed } from "../observed.ts";

export interface DoctorPlace {
  readonly config: Config;
  /** Services that are meant to run here. */
  readonly services: readonly ServiceName[];
  /** Whether they have to run now: then one that does not is a problem. */
  readonly mustRun: boolean;
  /** A service's observations while it ran; undefined if it never ran on this data folder. */
  readonly observe: (service: ServiceName) => Promise<Observed | undefined>;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** How long an answer may take, in milliseconds. */
export const PATIENCE_MS = 4_000;

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
  /** The clock of who answered, epoch milliseconds. */
  readonly date: number | undefined;
}

/** Requests a URL without following redirects. Rejects on a timeout. */
export async function ask(
  { fetch }: Pick<DoctorPlace, "fetch">,
  url: string,
  init: Pick<RequestInit, "method" | "body"> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    ...init,
    headers: { accept: "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // A page, or nothing.
  }
  const date = Date.parse(response.headers.get("date") ?? "");
  return {
    status: response.status,
    contentType: response.headers.get("content-type") ?? "",
    json,
    date: Number.isNaN(date) ? undefined : date,
  };
}
