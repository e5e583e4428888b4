/** Views of checks for administrators. */
import type { ProbeResult, SeenRegistration } from "../../kit/probes/probe.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { findPrivateSetting } from "../site/private-networks.ts";
import { toAddress } from "./address.ts";
import { toLocations } from "./location-schema.ts";
import { toTargetView } from "./target-secrets.ts";
import { CENTER, type CheckFault, type CheckRecord, type CheckStanding } from "./schema.ts";
import type { HeartbeatFacts } from "./standings.ts";
import type { CheckView, HeartbeatView, ProbeResultView, StandingView } from "./view-schema.ts";

function toCertificateView(certificate: NonNullable<CheckStanding["certificate"]>) {
  const { names, validFrom, validTo, chainEnd, ...rest } = certificate;
  return {
    ...rest,
    names: [...names],
    validFrom: toIsoTime(validFrom),
    validTo: toIsoTime(validTo),
    ...(chainEnd && { chainEnd: { subject: chainEnd.subject, validTo: toIsoTime(chainEnd.validTo) } }),
  };
}

function toRegistrationView({ domain, expiresAt }: SeenRegistration) {
  return { domain, expiresAt: toIsoTime(expiresAt) };
}

/** The setting that allows a rejected private address. */
function toSetting({ fault, detail }: { readonly fault?: CheckFault | undefined; readonly detail: string }) {
  const setting = fault === "forbidden" ? findPrivateSetting(detail) : undefined;
  return setting === undefined ? {} : { setting };
}

/** The state of a check for responses. */
export function toStandingView({
  state,
  since,
  places,
  certificate,
  registration,
  members,
}: CheckStanding): StandingView {
  const results = places.map((place) => ({
    ...place,
    ...toSetting(place),
    at: toIsoTime(place.at),
    dueAt: toIsoTimeIfAny(place.dueAt),
  }));
  return {
    state,
    since: toIsoTime(since),
    locations: results.map(({ place, ...result }) => ({
      serverId: place === CENTER ? undefined : place,
      ...result,
    })),
    places: results,
    ...(certificate === undefined ? {} : { certificate: toCertificateView(certificate) }),
    ...(registration && { registration: toRegistrationView(registration) }),
    ...(members && { members }),
  };
}

function toHeartbeatView({
  lastPingAt,
  lastSuccessAt,
  nextDueAt,
  openRuns,
  ...facts
}: HeartbeatFacts): HeartbeatView {
  return {
    ...facts,
    lastPingAt: toIsoTime(lastPingAt),
    lastSuccessAt: toIsoTimeIfAny(lastSuccessAt),
    nextDueAt: toIsoTimeIfAny(nextDueAt),
    openRuns: openRuns.map(({ rid, startedAt }) => ({ rid, startedAt: toIsoTime(startedAt) })),
  };
}

/** Data of a view other than the record. */
export interface CheckKnowledge {
  readonly box: SecretBox;
  readonly standing: CheckStanding;
  readonly heartbeat: HeartbeatFacts | undefined;
}

/** A check without its secrets. */
export function toCheckView(record: CheckRecord, { box, standing, heartbeat }: CheckKnowledge): CheckView {
  const { sealed: _sealed, createdAt, updatedAt, ...fields } = record;
  return {
    ...fields,
    dependsOn: fields.dependsOn ?? [],
    target: toTargetView(box, record),
    locations: toLocations(record.places),
    address: toAddress(record),
    ...(heartbeat === undefined ? {} : { heartbeat: toHeartbeatView(heartbeat) }),
    standing: toStandingView(standing),
    createdAt: toIsoTime(createdAt),
    updatedAt: toIsoTime(updatedAt),
  };
}

/** The result of one attempt, with its meaning for the check. */
export function toProbeResultView(
  { detail, latencyMs, phases, certificate, registration, conditions }: ProbeResult,
  fault: CheckFault | undefined,
): ProbeResultView {
  return {
    ok: fault === undefined,
    // `as`: heartbeats, which have faults of their own, are not tried.
    ...(fault === undefined ? {} : { fault: fault as ProbeResultView["fault"] }),
    detail,
    ...toSetting({ fault, detail }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(phases === undefined ? {} : { phases }),
    ...(certificate === undefined
      ? {}
      : { certificate: toCertificateView({ ...certificate, names: [...certificate.names] }) }),
    ...(registration && { registration: toRegistrationView(registration) }),
    ...(conditions === undefined ? {} : { conditions: conditions.map((one) => ({ ...one })) }),
  };
}
