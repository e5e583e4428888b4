/** Targets of every kind that can be asked from any place: the monitor itself, or an agent. */
import { z } from "zod";
import { dnsParameters } from "./dns.ts";
import { httpParameters } from "./http.ts";
import { pingParameters } from "./ping.ts";
import { tcpParameters } from "./tcp.ts";
import { tlsParameters } from "./tls.ts";

/** Every kind, in the order in which people are offered them. */
export const targetKinds = ["http", "tcp", "tls", "dns", "ping"] as const;
export type TargetKind = (typeof targetKinds)[number];

export const httpTargetSchema = z.strictObject({ kind: z.literal("http"), ...httpParameters() });
export const tcpTargetSchema = z.strictObject({ kind: z.literal("tcp"), ...tcpParameters() });
export const tlsTargetSchema = z.strictObject({ kind: z.literal("tls"), ...tlsParameters() });
export const dnsTargetSchema = z.strictObject({ kind: z.literal("dns"), ...dnsParameters() });
export const pingTargetSchema = z.strictObject({ kind: z.literal("ping"), ...pingParameters() });

/** What is asked, and what is expected of it. */
export const targetSchema = z.discriminatedUnion("kind", [
  httpTargetSchema,
  tcpTargetSchema,
  tlsTargetSchema,
  dnsTargetSchema,
  pingTargetSchema,
]);
export type Target = z.infer<typeof targetSchema>;
