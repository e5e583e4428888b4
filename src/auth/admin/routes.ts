/** All routes below /api/admin. */
import type { ServiceApp } from "../../kit/http/app.ts";
import type { Auth } from "../auth.ts";
import { addAdminClientRoutes } from "../applications/routes.ts";
import { addAdminInviteRoutes } from "../registration/invite-routes.ts";
import { addAdminOperationRoutes } from "./operation-routes.ts";
import { type AdminSettingsRoutesOptions, addAdminSettingsRoutes } from "../settings/routes.ts";
import { addAdminTransferRoutes } from "../transfer/routes.ts";
import { addAdminUserActionRoutes } from "./user-action-routes.ts";
import { addAdminUserRoutes } from "./user-routes.ts";

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
