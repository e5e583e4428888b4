/** Profiles of others, for administrators: what offends can be changed or taken away. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { type AdminMiddleware, adminRoute, recordIdParams } from "../edge/admin-views.ts";
import { createRoute } from "../edge/create-route.ts";
import type { Avatars } from "./avatars.ts";
import { answerProfile, profileResponse } from "./profile-routes.ts";
import { profilePatchSchema } from "../accounts/schema.ts";
import type { Profiles } from "./profiles.ts";

interface Parts {
  readonly profiles: Profiles;
  readonly avatars: Avatars;
  readonly admin: AdminMiddleware;
}

/** Adds the profile and its picture below /api/admin/users/{id}. */
export function addAdminProfileRoutes(app: ServiceApp, { profiles, avatars, admin }: Parts): void {
  const patchProfile = createRoute({
    ...adminRoute("users", admin),
    method: "patch",
    path: "/api/admin/users/{id}/profile",
    operationId: "adminPatchUserProfile",
    summary: "Change some fields of the profile of an account",
    request: {
      params: recordIdParams,
      headers: ifMatchHeader,
      body: jsonBody(profilePatchSchema, { bio: "", visibility: "private" }),
    },
    responses: { 200: profileResponse },
    errors: [...writeErrors, "not_found", "stale_version"],
  });
  app.openapi(patchProfile, async (c) => {
    const change = { fields: c.req.valid("json"), version: readIfMatch(c.req.header("if-match")) };
    return answerProfile(c, await profiles.patchAs(c.var.actor, c.req.valid("param").id, change));
  });

  const deleteAvatar = createRoute({
    ...adminRoute("users", admin),
    method: "delete",
    path: "/api/admin/users/{id}/avatar",
    operationId: "adminDeleteUserAvatar",
    summary: "Remove the profile picture of an account",
    request: { params: recordIdParams },
    responses: { 200: profileResponse },
  });
  app.openapi(deleteAvatar, async (c) =>
    answerProfile(c, await avatars.remove(c.req.valid("param").id, c.var.actor)),
  );
}
