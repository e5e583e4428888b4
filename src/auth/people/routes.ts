/** Public routes: directory, profiles, pictures, likes, and the rules of registration. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { isKnownTag } from "../../kit/http/etag.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { trimmedLine } from "../../kit/text/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { pageSchema, toPageView } from "../../kit/http/paging.ts";
import type { Store } from "../../store/store.ts";
import type { Activity } from "../sessions/activity.ts";
import type { AccessTokens } from "../sessions/access-tokens.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Avatars } from "./avatars.ts";
import { type Directory, directorySorts } from "./directory.ts";
import type { LikeResult, Liker, Likes } from "./likes.ts";
import { loadSettings } from "../settings/settings.ts";
import { registrationSettingsSchema } from "../settings/schema.ts";
import { profileRecordSchema } from "../accounts/schema.ts";
import { assertOpen, findHolder, findSubject } from "../sessions/http/bearer-guard.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { createRoute } from "../edge/create-route.ts";

const publicProfileSchema = profileRecordSchema
  .pick({ username: true, displayName: true, bio: true, website: true, location: true, links: true })
  .extend({
    avatarUrl: z.string().nullable(),
    likes: z.int().min(0),
    likePolicy: profileRecordSchema.shape.likePolicy,
    joinedAt: isoTime.optional(),
    streak: z
      .int()
      .min(0)
      .optional()
      .openapi({ description: "Consecutive check-in days, if the owner shows them" }),
    likedByMe: z.boolean().optional().openapi({ description: "Present only for signed-in callers" }),
  })
  .openapi("PublicProfile");
const toProfile = createView(publicProfileSchema);

const policySchema = z
  .object(registrationSettingsSchema.shape)
  .pick({
    siteName: true,
    mode: true,
    emailVerification: true,
    usernameMinLength: true,
    usernameMaxLength: true,
    passwordMinLength: true,
    termsVersion: true,
    termsUrl: true,
  })
  .extend({ inviteRequired: z.boolean() })
  .openapi("RegistrationPolicy");
const toPolicy = createView(policySchema);

interface Parts {
  readonly directory: Directory;
  readonly likes: Likes;
  readonly avatars: Avatars;
  readonly store: Store;
  readonly sessions: Sessions;
  readonly accessTokens: Pick<AccessTokens, "find">;
  readonly activity: Activity;
}

const exampleProfile = {
  username: "ann",
  displayName: "Ann",
  avatarUrl: null,
  bio: "Gardens and small servers",
  website: "https://example.org",
  location: "Graz",
  links: [],
  likes: 3,
  likePolicy: "anyone",
  streak: 7,
};

const common = { tags: ["public"], "x-access": "public" as const };
/** Where a Bearer may be sent, and need not. */
const optionalBearer: Record<string, string[]>[] = [{}, { bearer: [] }];

/** A longer name, or one that is none, is simply not found. */
const usernameParams = z.object({
  username: z.string().openapi({ param: { name: "username", in: "path" }, example: "ann" }),
});

function addDirectoryRoutes(app: ServiceApp, parts: Parts): void {
  const listPublicUsers = createRoute({
    ...common,
    security: optionalBearer,
    method: "get",
    path: "/api/public/users",
    operationId: "listPublicUsers",
    summary: "Search the directory of profiles whose owners opted in",
    request: {
      query: z.object({
        q: trimmedLine(40)
          .optional()
          .openapi({ description: "Text in the username or display name, case-insensitive" }),
        sort: z.enum(directorySorts).default("username"),
        limit: z.coerce.number().int().min(1).max(100).default(30),
        cursor: z
          .string()
          .max(2_000)
          .optional()
          .openapi({ description: "`nextCursor` of the previous page" }),
      }),
    },
    responses: {
      200: jsonResponse(
        "A page of profiles. A search can return fewer than `limit` and still continue at `nextCursor`",
        pageSchema(publicProfileSchema),
        { items: [exampleProfile] },
      ),
    },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(listPublicUsers, async (c) => {
    const subject = await findSubject(c, parts);
    const page = await parts.directory.list({ ...c.req.valid("query"), viewerId: subject?.user.id });
    return c.json(
      toPageView(page, (profile) => toProfile(profile)),
      200,
    );
  });

  const getPublicUser = createRoute({
    ...common,
    security: optionalBearer,
    method: "get",
    path: "/api/public/users/{username}",
    operationId: "getPublicUser",
    summary: "Get a public or unlisted profile",
    request: { params: usernameParams },
    responses: { 200: jsonResponse("The profile", publicProfileSchema, exampleProfile) },
    errors: ["not_found", "store_unavailable"],
  });
  app.openapi(getPublicUser, async (c) => {
    const subject = await findSubject(c, parts);
    const profile = await parts.directory.get(c.req.valid("param").username, subject?.user.id);
    return c.json(toProfile(profile), 200);
  });
}

function addAvatarRoute(app: ServiceApp, parts: Parts): void {
  const picture = { schema: { type: "string" as const, format: "binary" } };
  const route = createRoute({
    ...common,
    method: "get",
    path: "/api/public/users/{username}/avatar",
    operationId: "getPublicAvatar",
    summary: "Get the picture of a public or unlisted profile",
    request: {
      params: usernameParams,
      query: z.object({
        v: z
          .string()
          .max(64)
          .optional()
          .openapi({ description: "Version of the picture, part of `avatarUrl`" }),
      }),
    },
    responses: {
      200: {
        description: "The picture",
        content: { "image/png": picture, "image/jpeg": picture, "image/webp": picture },
      },
      304: { description: "The picture has not changed" },
    },
    errors: ["not_found", "invalid", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const avatar = await parts.avatars.getPublic(c.req.valid("param").username);
    const etag = `"${avatar.hash.slice(0, 32)}"`;
    const headers = {
      etag,
      // Asked again each time: a profile that became private is at once so for shared caches too.
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'",
    };
    if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
    return c.body(avatar.readBytes(), 200, { ...headers, "content-type": avatar.mediaType });
  });
}

const likeMethods = [
  { method: "put", operationId: "likeUser", summary: "Like a profile (idempotent)" },
  { method: "post", operationId: "likeUserByPost", summary: "Same as PUT" },
  { method: "delete", operationId: "unlikeUser", summary: "Remove a like (idempotent)" },
] as const;

const addErrors = ["unauthenticated", "self_like", "rate_limited"] as const;

function addLikeRoutes(app: ServiceApp, parts: Parts): void {
  const liked = z.object({ liked: z.boolean(), likes: z.int().min(0) }).openapi("LikeResult");
  for (const { method, operationId, summary } of likeMethods) {
    const isAdding = method !== "delete";
    const change = (username: string, liker: Liker): Promise<LikeResult> =>
      isAdding ? parts.likes.add(username, liker) : parts.likes.remove(username, liker);
    const route = createRoute({
      ...common,
      security: optionalBearer,
      method,
      path: "/api/public/users/{username}/like",
      operationId,
      summary,
      request: { params: usernameParams },
      responses: {
        200: jsonResponse("Whether the caller likes the profile, and the number of likes", liked, {
          liked: isAdding,
          likes: isAdding ? 4 : 3,
        }),
      },
      errors: [...(isAdding ? addErrors : []), "forbidden", "not_found", "too_large", "store_unavailable"],
    });
    app.openapi(route, async (c) => {
      const subject = await findHolder(c, parts);
      if (subject !== undefined) assertOpen(subject, undefined);
      const liker = { subject, caller: toCaller(c) };
      return c.json(await change(c.req.valid("param").username, liker), 200);
    });
  }
}

function addPolicyRoute(app: ServiceApp, parts: Parts): void {
  const route = createRoute({
    ...common,
    method: "get",
    path: "/api/public/registration-policy",
    operationId: "getRegistrationPolicy",
    summary: "Get the registration policy",
    responses: {
      200: jsonResponse("The policy", policySchema, {
        siteName: "Trivet",
        mode: "open",
        emailVerification: "required",
        usernameMinLength: 2,
        usernameMaxLength: 40,
        passwordMinLength: 8,
        termsVersion: "",
        termsUrl: "",
        inviteRequired: false,
      }),
    },
    errors: ["store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const settings = await loadSettings(parts.store, "registration");
    return c.json(toPolicy(settings, { inviteRequired: settings.mode === "invite" }), 200);
  });
}

/** Adds the routes below /api/public. */
export function addPublicRoutes(app: ServiceApp, parts: Parts): void {
  addDirectoryRoutes(app, parts);
  addAvatarRoute(app, parts);
  addLikeRoutes(app, parts);
  addPolicyRoute(app, parts);
}
