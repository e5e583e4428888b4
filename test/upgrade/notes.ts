/** What is written beside a fixture: questions to the services and what they had answered. */
import { z } from "zod";

/** The administrator token of every fixture. */
export const ADMIN_TOKEN = "adm_token-of-the-upgrade-fixtures";

const service = z.enum(["monitor", "auth", "shop"]);
export type Service = z.infer<typeof service>;

/** Where the services of a program are, without a slash at the end; undefined: it has no such service. */
export interface Urls {
  readonly monitor: string | undefined;
  readonly auth: string | undefined;
  readonly shop: string | undefined;
  /** host:port of the agents' listener. */
  readonly grpc: string | undefined;
}

/** Those who own what is in a fixture; secrets of tests. */
export const peopleSchema = z.object({
  agentKey: z.string(),
  /** Access token of a buyer who has an account, where there were accounts. */
  buyerToken: z.string().optional(),
});
export type People = z.infer<typeof peopleSchema>;

export const notesSchema = z.object({
  /** Of the program that wrote it. */
  commit: z.string(),
  /** Epoch milliseconds of the last answer. */
  notedAt: z.number(),
  people: peopleSchema,
  answers: z.array(
    z.object({ service, path: z.string(), as: z.enum(["admin", "buyer"]), body: z.unknown() }),
  ),
});
export type Notes = z.infer<typeof notesSchema>;

/** What a request as administrator or as buyer carries. */
export function headersFor(as: "admin" | "buyer", people: People): Record<string, string> {
  return as === "admin"
    ? { "x-admin-token": ADMIN_TOKEN }
    : { authorization: `Bearer ${people.buyerToken ?? ""}` };
}
