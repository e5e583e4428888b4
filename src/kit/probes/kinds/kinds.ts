/** Every kind of target, and its form. A kind that is missing in one of the lists does not compile. */
import type { ProbeForm, ProbeKind } from "../probe.ts";
import { dns, dnsForm } from "./dns.ts";
import { websocket, websocketForm } from "./websocket.ts";
import { grpc, grpcForm } from "./grpc.ts";
import { mail, mailForm } from "./mail.ts";
import { database, databaseForm } from "./database.ts";
import { mqtt, mqttForm } from "./mqtt.ts";
import { udp, udpForm } from "./udp.ts";
import { ntp, ntpForm } from "./ntp.ts";
import { domain, domainForm } from "./domain.ts";
import { container, containerForm } from "./container.ts";
import { http, httpForm } from "./http.ts";
import { ping, pingForm } from "./ping.ts";
import { tcp, tcpForm } from "./tcp.ts";
import { tls, tlsForm } from "./tls.ts";

/** In the order in which the console offers them. */
export const probeKinds = {
  http,
  tcp,
  tls,
  dns,
  ping,
  websocket,
  grpc,
  mail,
  database,
  mqtt,
  udp,
  ntp,
  domain,
  container,
};
export type TargetKind = keyof typeof probeKinds;

export const probeForms = {
  http: httpForm,
  tcp: tcpForm,
  tls: tlsForm,
  dns: dnsForm,
  ping: pingForm,
  websocket: websocketForm,
  grpc: grpcForm,
  mail: mailForm,
  database: databaseForm,
  mqtt: mqttForm,
  udp: udpForm,
  ntp: ntpForm,
  domain: domainForm,
  container: containerForm,
} satisfies Record<TargetKind, ProbeForm>;

const byName: Readonly<Record<TargetKind, ProbeKind>> = probeKinds;

/** The kind of a target. */
export function kindOf({ kind }: { readonly kind: TargetKind }): ProbeKind {
  return byName[kind];
}
