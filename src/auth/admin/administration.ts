/** What administrators work with, made from the center's parts. */
import { type Clients, createClients } from "../applications/clients.ts";
import type { AuthDeps } from "../deps.ts";
import { type Impersonation, createImpersonation } from "./impersonation.ts";
import { type Invites, createInvites } from "../registration/invite-admin.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { type SettingsAdmin, createSettingsAdmin } from "../settings/settings-admin.ts";
import { type Operation, createOperation } from "./operation.ts";
import { type UserActions, createUserActions } from "./user-actions.ts";
import { type UserAdmin, createUserAdmin } from "./user-admin.ts";
import { type UserChanges, createUserChanges } from "./user-change.ts";
import { type UserExport, createUserExport } from "../transfer/export.ts";
import { type UserImport, createUserImport } from "../transfer/import.ts";

/** The parts that only administrators reach. */
export interface Administration {
  readonly userAdmin: UserAdmin;
  readonly userChanges: UserChanges;
  readonly userActions: UserActions;
  readonly impersonation: Impersonation;
  readonly userImport: UserImport;
  readonly userExport: UserExport;
  readonly settingsAdmin: SettingsAdmin;
  readonly invites: Invites;
  readonly clients: Clients;
  readonly operation: Operation;
}

/** Makes all that is administration. */
export function createAdministration(deps: AuthDeps & { sessions: Sessions }): Administration {
  return {
    userAdmin: createUserAdmin(deps),
    userChanges: createUserChanges(deps),
    userActions: createUserActions(deps),
    impersonation: createImpersonation(deps),
    userImport: createUserImport(deps),
    userExport: createUserExport(deps),
    settingsAdmin: createSettingsAdmin(deps),
    invites: createInvites(deps),
    clients: createClients(deps),
    operation: createOperation(deps),
  };
}
