/** All routes below /api/admin. Hidden here: their order, which decides between literal paths and {id}. */
import type { ServiceApp } from "../../kit/app.ts";
import type { Auth } from "../auth.ts";
import { addAdminClientRoutes } from "./admin-clients.ts";
import { addAdminInviteRoutes } from "./admin-invites.ts";
import { addAdminOperationRoutes } from "./admin-operation.ts";
import type { AdminSettingsRoutesOptions } from "./admin-settings.ts";
import { addAdminSettingsRoutes } from "./admin-settings.ts";
import { addAdminTransferRoutes } from "./admin-transfer.ts";
import { addAdminUserActionRoutes } from "./admin-user-actions.ts";
import { addAdminUserRoutes } from "./admin-users.ts";

/** Adds the administration; `options.admin` lets only administrators pass. */
export function addAdminRoutes(app: ServiceApp, auth: Auth, options: AdminSettingsRoutesOptions): void {
  const { admin } = options;
  addAdminTransferRoutes(app, auth, admin);
  addAdminUserRoutes(app, auth, admin);
  addAdminUserActionRoutes(app, auth, admin);
  addAdminSettingsRoutes(app, auth, options);
  addAdminInviteRoutes(app, auth, admin);
  addAdminClientRoutes(app, auth, admin);
  addAdminOperationRoutes(app, auth, admin);
}
