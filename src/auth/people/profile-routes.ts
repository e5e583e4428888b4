/** One's own profile and its picture. */
import { createRoute, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import {
  ifMatchHeader,
  jsonBody,
  jsonResponse,
  problemResponses,
  readIfMatch,
  writeErrors,
} from "../../kit/http/schemas.ts";
import type { Auth } from "../auth.ts";
import { imageMediaTypes, type ImageMediaType } from "../../kit/text/image-type.ts";
import { profilePatchSchema, toAvatarUrl, toProfileFields } from "./profiles.ts";
import { type ProfileRecord, profileFieldsSchema, profileInputSchema } from "../accounts/schema.ts";
import { type BearerEnv, bearerErrors, bearerSecurity } from "../http/bearer-guard.ts";

type Guard = MiddlewareHandler<BearerEnv>;

const profileSchema = z
  .object({
    ...profileFieldsSchema.shape,
    username: z.string(),
    avatarUrl: z
      .string()
      .nullable()
      .openapi({ description: "Where the picture is served while the profile is public or unlisted" }),
    likes: z.int().min(0),
    joinedAt: z.int().openapi({ description: "Epoch milliseconds" }),
    version: z.int().min(1).openapi({ description: "Grows with each change of the fields or the picture" }),
  })
  .openapi("Profile");

const exampleFields = {
  displayName: "Ann",
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
  joinedAt: 1_769_860_800_000,
  version: 4,
};

const profileResponse = jsonResponse(
  "The profile; ETag is its version, for If-Match",
  profileSchema,
  exampleProfile,
);

/** What all these routes share. */
function common<M extends Guard>(guard: M) {
  return { tags: ["profile"], "x-access": "user" as const, security: bearerSecurity, middleware: guard };
}

function toView(profile: ProfileRecord): z.infer<typeof profileSchema> {
  const { username, likes, joinedAt, editVersion } = profile;
  const avatarUrl = toAvatarUrl(profile);
  return { ...toProfileFields(profile), username, avatarUrl, likes, joinedAt, version: editVersion };
}

function toTag(profile: ProfileRecord): string {
  return `"${profile.editVersion}"`;
}

function addFieldRoutes(app: ServiceApp, auth: Auth, guard: Guard): void {
  app.openapi(
    createRoute({
      ...common(guard),
      method: "get",
      path: "/api/auth/profile",
      operationId: "getProfile",
      summary: "Your profile",
      responses: { 200: profileResponse, ...problemResponses(...bearerErrors, "store_unavailable") },
    }),
    async (c) => {
      const profile = await auth.profiles.get(c.var.subject.user.id);
      c.header("etag", toTag(profile));
      return c.json(toView(profile), 200);
    },
  );

  const responses = {
    200: profileResponse,
    ...problemResponses(...bearerErrors, ...writeErrors, "stale_version"),
  };
  app.openapi(
    createRoute({
      ...common(guard),
      method: "put",
      path: "/api/auth/profile",
      operationId: "replaceProfile",
      summary: "Replace your profile; what is left out falls back to its default, likePolicy stays as it is",
      request: { headers: ifMatchHeader, body: jsonBody(profileInputSchema, exampleFields) },
      responses,
    }),
    async (c) => {
      const version = readIfMatch(c.req.header("if-match"));
      const fields = c.req.valid("json");
      const profile = await auth.profiles.replace(c.var.subject.user.id, { fields, version });
      c.header("etag", toTag(profile));
      return c.json(toView(profile), 200);
    },
  );

  app.openapi(
    createRoute({
      ...common(guard),
      method: "patch",
      path: "/api/auth/profile",
      operationId: "patchProfile",
      summary: "Change some fields of your profile",
      request: {
        headers: ifMatchHeader,
        body: jsonBody(profilePatchSchema, { bio: "On holiday", inDirectory: false }),
      },
      responses,
    }),
    async (c) => {
      const version = readIfMatch(c.req.header("if-match"));
      const fields = c.req.valid("json");
      const profile = await auth.profiles.patch(c.var.subject.user.id, { fields, version });
      c.header("etag", toTag(profile));
      return c.json(toView(profile), 200);
    },
  );
}

/** The picture's type as it was sent. Throws `unsupported_media_type`. */
function readMediaType(header: string | undefined): ImageMediaType {
  const name = (header ?? "").split(";")[0]?.trim().toLowerCase();
  const known = imageMediaTypes.find((mediaType) => mediaType === name);
  if (known === undefined)
    throw new AppError("unsupported_media_type", `A picture is sent as ${imageMediaTypes.join(", ")}`);
  return known;
}

const picture = {
  schema: { type: "string" as const, format: "binary" },
  example: "the bytes of the picture",
};
const pictureBody = {
  required: true,
  description: "The picture itself: at most 512 KiB, 1 to 4,096 pixels each way",
  content: { "image/png": picture, "image/jpeg": picture, "image/webp": picture },
};

function addAvatarRoutes(app: ServiceApp, auth: Auth, guard: Guard): void {
  app.openapi(
    createRoute({
      ...common(guard),
      method: "put",
      path: "/api/auth/profile/avatar",
      operationId: "putAvatar",
      summary: "Set your picture",
      request: { body: pictureBody },
      responses: { 200: profileResponse, ...problemResponses(...bearerErrors, ...writeErrors) },
    }),
    async (c) => {
      const mediaType = readMediaType(c.req.header("content-type"));
      const bytes = new Uint8Array(await c.req.arrayBuffer());
      const profile = await auth.avatars.put(c.var.subject.user.id, { mediaType, bytes });
      c.header("etag", toTag(profile));
      return c.json(toView(profile), 200);
    },
  );

  app.openapi(
    createRoute({
      ...common(guard),
      method: "delete",
      path: "/api/auth/profile/avatar",
      operationId: "deleteAvatar",
      summary: "Remove your picture, if there is one",
      responses: {
        200: profileResponse,
        ...problemResponses(...bearerErrors, "too_large", "store_unavailable"),
      },
    }),
    async (c) => {
      const profile = await auth.avatars.remove(c.var.subject.user.id);
      c.header("etag", toTag(profile));
      return c.json(toView(profile), 200);
    },
  );
}

/** Adds the routes below /api/auth/profile. */
export function addProfileRoutes(app: ServiceApp, auth: Auth, guard: Guard): void {
  addFieldRoutes(app, auth, guard);
  addAvatarRoutes(app, auth, guard);
}
