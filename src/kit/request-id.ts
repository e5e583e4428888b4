/** Ids that tie a request to its log lines. Hidden here: which ids of others are taken over. */
import { randomBytes } from "node:crypto";

/** Takes the incoming id when it is harmless in a log line and a header, else makes one. */
export type RequestIds = (incoming: string | null) => string;

/** Made ids are unique among processes by a random start and within this one by a count: they need no secret. */
export function createRequestIds(): RequestIds {
  const start = randomBytes(8).toString("hex");
  let count = 0;
  return (incoming) => {
    if (incoming !== null && /^[A-Za-z0-9._-]{1,64}$/u.test(incoming)) return incoming;
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}
