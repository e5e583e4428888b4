/** Certificates of targets that speak TLS: days left, name, chain. */
import { z } from "zod";
import { line } from "../text/schemas.ts";
import { certificateDaysSchema, hostSchema, portSchema } from "./fields.ts";

export const tlsParameters = () => ({
  host: hostSchema,
  port: portSchema.default(443),
  /** The name that the certificate must be for; empty: the host's. */
  serverName: line(253).trim().default(""),
  certificateDays: certificateDaysSchema.default(0),
  /** Whether the chain need not end at a known authority: for certificates of the house. */
  ignoresChain: z.boolean().default(false),
});
