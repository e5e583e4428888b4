/** Who takes webhooks, without a port: checks each with the vendors' own package, and answers as a test wants. */
import { Webhook } from "standardwebhooks";
import type { Outbound, OutboundOutcome, OutboundRequest } from "../../../src/kit/outbound/outbound.ts";

/** One event as it came. */
export interface Received {
  readonly url: string;
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly order?: { readonly id: string; readonly status: string };
    readonly sku?: string;
    readonly available?: number;
    readonly flags?: readonly string[];
    readonly refunded?: number;
  };
  readonly request: OutboundRequest;
}

export function createReceiver() {
  const received: Received[] = [];
  const answers: OutboundOutcome[] = [];
  let usual: OutboundOutcome = { kind: "answered", status: 200, text: "ok" };
  const outbound: Outbound = {
    send: async (request) => {
      const { type, data }: Pick<Received, "type" | "data"> = JSON.parse(request.body ?? "");
      received.push({ url: request.url, id: request.headers?.["webhook-id"] ?? "", type, data, request });
      return answers.shift() ?? usual;
    },
  };
  return {
    outbound,
    received,
    /** What the next requests are answered with, one each. */
    answerOnce: (...next: OutboundOutcome[]): void => void answers.push(...next),
    /** What every other request is answered with. */
    answerWith: (outcome: OutboundOutcome): void => {
      usual = outcome;
    },
    types: (): string[] => received.map(({ type }) => type),
  };
}

export function answered(status: number, text = ""): OutboundOutcome {
  return { kind: "answered", status, text };
}

/** Whether the vendors' package takes a request that was signed within its five minutes. */
export function isGenuine(secret: string, { request }: Received): boolean {
  try {
    new Webhook(secret).verify(request.body ?? "", { ...request.headers });
    return true;
  } catch {
    return false;
  }
}
