/** Targets that must be there at all: by the system's `ping`, or by a TCP connection. */
import { z } from "zod";
import { hostSchema, portSchema } from "./fields.ts";

export const pingParameters = () => ({
  host: hostSchema,
  /** "icmp" needs the system's `ping`; "tcp" connects, and a refusal is an answer too. */
  way: z.enum(["icmp", "tcp"]).default("tcp"),
  /** Of "tcp". */
  port: portSchema.default(443),
});
