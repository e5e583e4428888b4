/** Every kind of target, and its form. A kind that is missing in one of the lists does not compile. */
import type { ProbeForm, ProbeKind } from "../probe.ts";
import { dns, dnsForm } from "./dns.ts";
import { http, httpForm } from "./http.ts";
import { ping, pingForm } from "./ping.ts";
import { tcp, tcpForm } from "./tcp.ts";
import { tls, tlsForm } from "./tls.ts";

/** In the order in which the console offers them. */
export const probeKinds = { http, tcp, tls, dns, ping };
export type TargetKind = keyof typeof probeKinds;

export const probeForms = {
  http: httpForm,
  tcp: tcpForm,
  tls: tlsForm,
  dns: dnsForm,
  ping: pingForm,
} satisfies Record<TargetKind, ProbeForm>;

const byName: Readonly<Record<TargetKind, ProbeKind>> = probeKinds;

/** The kind of a target. */
export function kindOf({ kind }: { readonly kind: TargetKind }): ProbeKind {
  return byName[kind];
}
