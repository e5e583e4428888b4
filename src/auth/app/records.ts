/** The auth center's collections and indexes, declared once for every store. */
import { adminTokenCheckCollection } from "../../records/admin-token-watch.ts";
import { auditCollection, auditHeadCollection } from "../../records/audit-chain.ts";
import { outboxCollection } from "../../records/outbox-record.ts";
import { apiKeys } from "../../records/rights/schema.ts";
import { consoleSessions } from "../../records/console-sessions.ts";
import {
  users,
  profiles,
  registrations,
  emails,
  access,
  events,
  upstreamLinks,
  passkeys,
} from "../accounts/records.ts";
import { sessions, applicationCodes, logouts } from "../sessions/records.ts";
import { codes } from "../codes/records.ts";
import { challenges } from "../second-factor/records.ts";
import { answeredChallenges } from "../passkeys/records.ts";
import { links } from "../passwords/records.ts";
import { attempts } from "../attempts/records.ts";
import { signingKeys } from "../signing-keys/records.ts";
import { checkIns } from "../check-in/records.ts";
import { likes, avatars } from "../people/records.ts";
import { invites } from "../registration/records.ts";
import { clients, origins, refusals } from "../applications/records.ts";
import { resources } from "../resources/records.ts";
import { machineTokens } from "../machines/records.ts";
import { usedAssertions } from "../client-keys/records.ts";
import { consents, deviceRequests, pushedRequests } from "../oidc/records.ts";
import { roles } from "../roles/records.ts";
import { groups, memberships } from "../groups/records.ts";
import { upstreams, usedStates } from "../upstream/records.ts";
import { settings } from "../settings/records.ts";
import { shopBrands } from "../shop-brand/records.ts";
import { state } from "../base/records.ts";

/** Everything that the auth center's store must know at its start. */
export const authCollections = [
  users,
  profiles,
  registrations,
  emails,
  sessions,
  apiKeys,
  consoleSessions,
  codes,
  challenges,
  passkeys,
  answeredChallenges,
  links,
  attempts,
  signingKeys,
  checkIns,
  likes,
  avatars,
  invites,
  clients,
  origins,
  resources,
  machineTokens,
  usedAssertions,
  refusals,
  applicationCodes,
  consents,
  deviceRequests,
  pushedRequests,
  logouts,
  groups,
  roles,
  memberships,
  upstreams,
  upstreamLinks,
  usedStates,
  access,
  events,
  auditCollection,
  auditHeadCollection,
  adminTokenCheckCollection,
  settings,
  shopBrands,
  state,
  outboxCollection,
] as const;
