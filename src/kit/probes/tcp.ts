/** Targets that take a TCP connection. */
import { hostSchema, portSchema } from "./fields.ts";

export const tcpParameters = () => ({
  host: hostSchema,
  port: portSchema,
});
