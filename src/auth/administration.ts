/** What administrators work with, made from the center's parts. Hidden here: which part needs which. */
import type { Clients } from "./clients.ts";
import { createClients } from "./clients.ts";
import type { AuthDeps } from "./deps.ts";
import type { Impersonation } from "./impersonation.ts";
import { createImpersonation } from "./impersonation.ts";
import type { Invites } from "./invite-admin.ts";
import { createInvites } from "./invite-admin.ts";
import type { Sessions } from "./sessions.ts";
import type { SettingsAdmin } from "./settings-admin.ts";
import { createSettingsAdmin } from "./settings-admin.ts";
import type { Operation } from "./operation.ts";
import { createOperation } from "./operation.ts";
import type { UserActions } from "./user-actions.ts";
import { createUserActions } from "./user-actions.ts";
import type { UserAdmin } from "./user-admin.ts";
import { createUserAdmin } from "./user-admin.ts";
import type { UserChanges } from "./user-change.ts";
import { createUserChanges } from "./user-change.ts";
import type { UserExport } from "./user-export.ts";
import { createUserExport } from "./user-export.ts";
import type { UserImport } from "./user-import.ts";
import { createUserImport } from "./user-import.ts";

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
