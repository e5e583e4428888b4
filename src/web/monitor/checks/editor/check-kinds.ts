/** Every kind of check with the fields of its form. */
import type { CheckKind } from "../../../../monitor/checks/schema.ts";
import {
  type CheckField,
  certificateDays,
  dnsFields,
  heartbeatFields,
  host,
  httpFields,
  port,
} from "./field-table.ts";

/** A kind with its fields. */
export interface CheckKindForm {
  readonly fields: readonly CheckField[];
}

/** The form of every kind. */
export const checkKinds: Readonly<Record<CheckKind, CheckKindForm>> = {
  http: { fields: httpFields },
  heartbeat: { fields: heartbeatFields },
  tcp: { fields: [host, port(5_432)] },
  tls: {
    fields: [
      host,
      port(443),
      { ...certificateDays, advanced: true },
      { name: "serverName", input: "text", label: "admin.check.serverName", max: 253, advanced: true },
      {
        name: "ignoresChain",
        input: "tick",
        label: "admin.check.ignoresChain",
        initial: false,
        advanced: true,
      },
    ],
  },
  dns: { fields: dnsFields },
  ping: {
    fields: [
      host,
      {
        name: "way",
        input: "choice",
        label: "admin.check.way",
        initial: "tcp",
        choices: ["tcp", "icmp"],
      },
      { ...port(443), when: { name: "way", among: ["tcp"] } },
    ],
  },
};

/** How often and how patiently a target is asked. */
export const timingFields: readonly CheckField[] = [
  {
    name: "intervalSeconds",
    input: "span",
    label: "admin.check.interval",
    initial: 60,
    min: 20,
    max: 86_400,
    fault: "admin.check.fault.interval",
  },
  {
    name: "timeoutSeconds",
    input: "whole",
    label: "admin.check.timeout",
    initial: 10,
    min: 1,
    max: 60,
    fault: "admin.check.fault.timeout",
  },
  {
    name: "failures",
    input: "whole",
    label: "admin.check.failures",
    initial: 2,
    min: 1,
    max: 10,
    fault: "admin.check.fault.failures",
  },
  {
    name: "retrySeconds",
    input: "span",
    label: "admin.check.retry",
    initial: 20,
    min: 5,
    max: 86_400,
    fault: "admin.check.fault.retry",
  },
];
