/** Every kind of check with the fields of its form. */
import { checkFields, targetFields } from "../../../../monitor/checks/form-schema.ts";
import type { CheckKind } from "../../../../monitor/checks/schema.ts";
import {
  type CheckField,
  type CheckFieldOf,
  certificateDays,
  dnsFields,
  heartbeatFields,
  host,
  httpFields,
  port,
  withBounds,
} from "./field-table.ts";

/** A kind with its fields. */
export interface CheckKindForm {
  readonly fields: readonly CheckField[];
}

/** What the form of every kind asks for. */
const tables: Readonly<Record<CheckKind, readonly CheckFieldOf[]>> = {
  http: httpFields,
  heartbeat: heartbeatFields,
  tcp: [host, port(5_432)],
  tls: [
    host,
    port(443),
    { ...certificateDays, advanced: true },
    { name: "serverName", input: "text", label: "admin.check.serverName", advanced: true },
    {
      name: "ignoresChain",
      input: "tick",
      label: "admin.check.ignoresChain",
      initial: false,
      advanced: true,
    },
  ],
  dns: dnsFields,
  ping: [
    host,
    {
      name: "way",
      input: "choice",
      label: "admin.check.way",
      initial: "tcp",
    },
    { ...port(443), when: { name: "way", among: ["tcp"] } },
  ],
};

function toForm(kind: CheckKind): CheckKindForm {
  return { fields: withBounds(tables[kind], targetFields[kind]) };
}

/** The form of every kind. */
export const checkKinds: Readonly<Record<CheckKind, CheckKindForm>> = {
  http: toForm("http"),
  heartbeat: toForm("heartbeat"),
  tcp: toForm("tcp"),
  tls: toForm("tls"),
  dns: toForm("dns"),
  ping: toForm("ping"),
};

/** How often and how patiently a target is asked. */
export const timingFields: readonly CheckField[] = withBounds(
  [
    {
      name: "intervalSeconds",
      input: "span",
      label: "admin.check.interval",
      initial: 60,
      fault: "admin.check.fault.interval",
    },
    {
      name: "timeoutSeconds",
      input: "whole",
      label: "admin.check.timeout",
      initial: 10,
      fault: "admin.check.fault.timeout",
    },
    {
      name: "failures",
      input: "whole",
      label: "admin.check.failures",
      initial: 2,
      fault: "admin.check.fault.failures",
    },
    {
      name: "retrySeconds",
      input: "span",
      label: "admin.check.retry",
      initial: 20,
      fault: "admin.check.fault.retry",
    },
  ],
  checkFields,
);
