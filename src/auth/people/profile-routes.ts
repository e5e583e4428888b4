/** One's own profile and its picture. */
import { readBytes, toMediaType } from "../../kit/http/request-body.ts";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import type { Avatars } from "./avatars.ts";
import { imageMediaTypes, type ImageMediaType } from "../../kit/pictures/image-type.ts";
import { type Profiles, toAvatarUrl } from "./profiles.ts";
import {
  type ProfileRecord,
  profileFieldsSchema,
  profileInputSchema,
  profilePatchSchema,
} from "../accounts/schema.ts";
import { type BearerGuard, bearerRoute } from "../sessions/http/bearer-guard.ts";
import { createRoute } from "../edge/create-route.ts";

interface Parts {
  readonly profiles: Profiles;
  readonly avatars: Avatars;
  readonly bearer: BearerGuard;
}

const profileSchema = z
  .object({
    ...profileFieldsSchema.shape,
    username: z.string(),
    avatarUrl: z
      .string()
      .nullable()
      .openapi({ description: "URL of the picture while the profile is public or unlisted" }),
    likes: z.int().min(0),
    joinedAt: isoTime,
    version: z
      .int()
      .min(1)
      .openapi({ description: "Increases with every change of the fields or the picture" }),
  })
  .openapi("Profile");

const exampleFields = {
  displayName: "Ann",
  givenName: "Ann",
  familyName: "Berger",
  bio: "Gardens and small servers",
  website: "https://example.org",
  location: "Graz",
  links: [{ label: "Code", url: "https://git.example.org/ann" }],
  visibility: "public",
  inDirectory: true,
  showStreak: true,
  showJoined: false,
  likePolicy: "anyone",
};
const exampleProfile = {
  ...exampleFields,
  username: "ann",
  avatarUrl: "/api/public/users/ann/avatar?v=9f86d081",
  likes: 3,
  joinedAt: "2026-01-31T12:00:00.000+00:00",
  version: 4,
};

export const profileResponse = jsonResponse(
  "The profile. The ETag is its version, for If-Match",
  profileSchema,
  exampleProfile,
);

const toProfile = createView(profileSchema);

/** The profile as its owner sees it, with its version as ETag. */
export function answerProfile(c: Context, profile: ProfileRecord) {
  const view = toProfile(profile, { avatarUrl: toAvatarUrl(profile), version: profile.editVersion });
  c.header("etag", `"${view.version}"`);
  return c.json(view, 200);
}

function addFieldRoutes(app: ServiceApp, { profiles, bearer }: Parts): void {
  const getProfile = createRoute({
    ...bearerRoute("profile", bearer, "profile"),
    method: "get",
    path: "/api/auth/profile",
    operationId: "getProfile",
    summary: "Get the caller's profile",
    responses: { 200: profileResponse },
    errors: ["store_unavailable"],
  });
  app.openapi(getProfile, async (c) => answerProfile(c, await profiles.get(c.var.subject.user.id)));

  const replaceProfile = createRoute({
    ...bearerRoute("profile", bearer),
    method: "put",
    path: "/api/auth/profile",
    operationId: "replaceProfile",
    summary: "Replace the caller's profile. Omitted fields are reset to their defaults, except likePolicy",
    request: { headers: ifMatchHeader, body: jsonBody(profileInputSchema, exampleFields) },
    responses: { 200: profileResponse },
    errors: [...writeErrors, "stale_version"],
  });
  app.openapi(replaceProfile, async (c) => {
    const version = readIfMatch(c.req.header("if-match"));
    const fields = c.req.valid("json");
    return answerProfile(c, await profiles.replace(c.var.subject.user.id, { fields, version }));
  });

  const patchProfile = createRoute({
    ...bearerRoute("profile", bearer),
    method: "patch",
    path: "/api/auth/profile",
    operationId: "patchProfile",
    summary: "Change some fields of the caller's profile",
    request: {
      headers: ifMatchHeader,
      body: jsonBody(profilePatchSchema, { bio: "On holiday", inDirectory: false }),
    },
    responses: { 200: profileResponse },
    errors: [...writeErrors, "stale_version"],
  });
  app.openapi(patchProfile, async (c) => {
    const version = readIfMatch(c.req.header("if-match"));
    const fields = c.req.valid("json");
    return answerProfile(c, await profiles.patch(c.var.subject.user.id, { fields, version }));
  });
}

/** The picture's type as it was sent. Throws `unsupported_media_type`. */
function readMediaType(header: string | undefined): ImageMediaType {
  const name = toMediaType(header);
  const known = imageMediaTypes.find((mediaType) => mediaType === name);
  if (known === undefined)
    throw new AppError(
      "unsupported_media_type",
      `The Content-Type of a picture must be ${imageMediaTypes.join(" or ")}`,
    );
  return known;
}

const picture = {
  schema: { type: "string" as const, format: "binary" },
  example: "the bytes of the picture",
};
const pictureBody = {
  required: true,
  description: "The picture: up to 512 KiB, width and height 1 to 4,096 pixels",
  content: { "image/png": picture, "image/jpeg": picture, "image/webp": picture },
};

function addAvatarRoutes(app: ServiceApp, { avatars, bearer }: Parts): void {
  const putAvatar = createRoute({
    ...bearerRoute("profile", bearer),
    method: "put",
    path: "/api/auth/profile/avatar",
    operationId: "putAvatar",
    summary: "Set the caller's profile picture",
    request: { body: pictureBody },
    responses: { 200: profileResponse },
  });
  app.openapi(putAvatar, async (c) => {
    const mediaType = readMediaType(c.req.header("content-type"));
    const bytes = new Uint8Array(await readBytes(c));
    return answerProfile(c, await avatars.put(c.var.subject.user.id, { mediaType, bytes }));
  });

  const deleteAvatar = createRoute({
    ...bearerRoute("profile", bearer),
    method: "delete",
    path: "/api/auth/profile/avatar",
    operationId: "deleteAvatar",
    summary: "Remove the caller's profile picture",
    responses: { 200: profileResponse },
    errors: ["too_large", "store_unavailable"],
  });
  app.openapi(deleteAvatar, async (c) => {
    return answerProfile(c, await avatars.remove(c.var.subject.user.id));
  });
}

/** Adds the routes below /api/auth/profile. */
export function addProfileRoutes(app: ServiceApp, parts: Parts): void {
  addFieldRoutes(app, parts);
  addAvatarRoutes(app, parts);
}
