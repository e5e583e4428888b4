/** What needs no credential: directory, profiles, pictures, likes, and the rules of registration. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { isKnownTag } from "../../kit/http/etag.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import { trimmedLine } from "../../kit/text/schemas.ts";
import type { Auth } from "../auth.ts";
import type { Subject } from "../caller.ts";
import { type PublicProfile, directorySorts } from "./directory.ts";
import type { LikeResult, Liker } from "./likes.ts";
import { loadSettings } from "../settings/settings.ts";
import { registrationSettingsSchema } from "../settings/schema.ts";
import { profileFieldsSchema } from "../accounts/schema.ts";
import { type RequestHeaders, getSubject } from "../http/bearer-guard.ts";
import { toCaller } from "../http/callers.ts";

const { displayName, bio, website, location, links, likePolicy } = profileFieldsSchema.shape;
const publicProfileSchema = z
  .object({
    username: z.string(),
    displayName,
    avatarUrl: z.string().nullable(),
    bio: bio.unwrap(),
    website: website.unwrap(),
    location: location.unwrap(),
    links: links.unwrap(),
    likes: z.int().min(0),
    likePolicy: likePolicy.unwrap(),
    joinedAt: z.int().optional().openapi({ description: "Epoch milliseconds, when its owner shows it" }),
    streak: z.int().min(0).optional().openapi({ description: "Days in a row, when its owner shows it" }),
    likedByMe: z.boolean().optional().openapi({ description: "Only when you are signed in" }),
  })
  .openapi("PublicProfile");

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

/** What all these routes share. */
const common = { tags: ["public"], "x-access": "public" as const };
/** Where a Bearer may be sent, and need not. */
const optionalBearer: Record<string, string[]>[] = [{}, { bearer: [] }];

/** A longer name, or one that is none, is simply not found. */
const usernameParams = z.object({
  username: z.string().openapi({ param: { name: "username", in: "path" }, example: "ann" }),
});

/** Who sent a living Bearer; a dead or malformed one counts as none. */
async function findSubject(c: RequestHeaders, auth: Auth): Promise<Subject | undefined> {
  try {
    return (await getSubject(c, auth)).subject;
  } catch (error) {
    const isNobody =
      error instanceof AppError && (error.code === "unauthenticated" || error.code === "token_invalid");
    if (isNobody) return undefined;
    throw error;
  }
}

function toView(profile: PublicProfile): z.infer<typeof publicProfileSchema> {
  return { ...profile, links: profile.links.map((link) => ({ ...link })) };
}

function addDirectoryRoutes(app: ServiceApp, auth: Auth): void {
  app.openapi(
    createRoute({
      ...common,
      security: optionalBearer,
      method: "get",
      path: "/api/public/users",
      operationId: "listPublicUsers",
      summary: "The directory: profiles whose owners want to be found",
      request: {
        query: z.object({
          query: trimmedLine(40)
            .optional()
            .openapi({ description: "Text in username or display name; case does not count" }),
          sort: z.enum(directorySorts).default("username"),
          limit: z.coerce.number().int().min(1).max(100).default(30),
          cursor: z
            .string()
            .max(2_000)
            .optional()
            .openapi({ description: "`nextCursor` of the page before" }),
        }),
      },
      responses: {
        200: jsonResponse(
          "A page; a search may find fewer than it may give and yet go on at `nextCursor`",
          z.object({ items: z.array(publicProfileSchema), nextCursor: z.string().optional() }),
          { items: [exampleProfile] },
        ),
        ...problemResponses("bad_request", "invalid", "store_unavailable"),
      },
    }),
    async (c) => {
      const subject = await findSubject(c, auth);
      const page = await auth.directory.list({ ...c.req.valid("query"), viewerId: subject?.user.id });
      return c.json({ ...page, items: page.items.map(toView) }, 200);
    },
  );

  app.openapi(
    createRoute({
      ...common,
      security: optionalBearer,
      method: "get",
      path: "/api/public/users/{username}",
      operationId: "getPublicUser",
      summary: "A public or unlisted profile",
      request: { params: usernameParams },
      responses: {
        200: jsonResponse("The profile", publicProfileSchema, exampleProfile),
        ...problemResponses("not_found", "store_unavailable"),
      },
    }),
    async (c) => {
      const subject = await findSubject(c, auth);
      const profile = await auth.directory.get(c.req.valid("param").username, subject?.user.id);
      return c.json(toView(profile), 200);
    },
  );
}

function addAvatarRoute(app: ServiceApp, auth: Auth): void {
  const picture = { schema: { type: "string" as const, format: "binary" } };
  app.openapi(
    createRoute({
      ...common,
      method: "get",
      path: "/api/public/users/{username}/avatar",
      operationId: "getPublicAvatar",
      summary: "The picture of a public or unlisted profile",
      request: {
        params: usernameParams,
        query: z.object({
          v: z
            .string()
            .max(64)
            .optional()
            .openapi({ description: "Part of `avatarUrl`: changes with the picture" }),
        }),
      },
      responses: {
        200: {
          description: "The picture",
          content: { "image/png": picture, "image/jpeg": picture, "image/webp": picture },
        },
        304: { description: "The picture is the one that If-None-Match names" },
        ...problemResponses("not_found", "invalid", "store_unavailable"),
      },
    }),
    async (c) => {
      const avatar = await auth.avatars.getPublic(c.req.valid("param").username);
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
    },
  );
}

const likeMethods = [
  { method: "put", operationId: "likeUser", summary: "Like a profile; again changes nothing" },
  { method: "post", operationId: "likeUserByPost", summary: "The same as PUT" },
  { method: "delete", operationId: "unlikeUser", summary: "Take a like back; again changes nothing" },
] as const;

function addLikeRoutes(app: ServiceApp, auth: Auth): void {
  const liked = z.object({ liked: z.boolean(), likes: z.int().min(0) }).openapi("LikeResult");
  for (const { method, operationId, summary } of likeMethods) {
    const isAdding = method !== "delete";
    const change = (username: string, liker: Liker): Promise<LikeResult> =>
      isAdding ? auth.likes.add(username, liker) : auth.likes.remove(username, liker);
    app.openapi(
      createRoute({
        ...common,
        security: optionalBearer,
        method,
        path: "/api/public/users/{username}/like",
        operationId,
        summary,
        request: { params: usernameParams },
        responses: {
          200: jsonResponse("Whether you like it now, and how many do", liked, {
            liked: isAdding,
            likes: isAdding ? 4 : 3,
          }),
          ...problemResponses("forbidden", "not_found", "too_large", "store_unavailable"),
          ...(isAdding ? problemResponses("unauthenticated", "self_like", "rate_limited") : {}),
        },
      }),
      async (c) => {
        const liker = { subject: await findSubject(c, auth), caller: toCaller(c) };
        return c.json(await change(c.req.valid("param").username, liker), 200);
      },
    );
  }
}

function addPolicyRoute(app: ServiceApp, auth: Auth): void {
  const policySchema = z
    .object({
      ...z.object(registrationSettingsSchema.shape).pick({
        siteName: true,
        mode: true,
        emailVerification: true,
        usernameMinLength: true,
        usernameMaxLength: true,
        passwordMinLength: true,
        termsVersion: true,
        termsUrl: true,
      }).shape,
      inviteRequired: z.boolean(),
    })
    .openapi("RegistrationPolicy");
  app.openapi(
    createRoute({
      ...common,
      method: "get",
      path: "/api/public/registration-policy",
      operationId: "getRegistrationPolicy",
      summary: "What a registration form must know",
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
        ...problemResponses("store_unavailable"),
      },
    }),
    async (c) => {
      const settings = await loadSettings(auth.store, "registration");
      const { siteName, mode, emailVerification, usernameMinLength, usernameMaxLength } = settings;
      const { passwordMinLength, termsVersion, termsUrl } = settings;
      const inviteRequired = mode === "invite";
      const names = { siteName, mode, emailVerification, usernameMinLength, usernameMaxLength };
      return c.json({ ...names, passwordMinLength, termsVersion, termsUrl, inviteRequired }, 200);
    },
  );
}

/** Adds the routes below /api/public. */
export function addPublicRoutes(app: ServiceApp, auth: Auth): void {
  addDirectoryRoutes(app, auth);
  addAvatarRoute(app, auth);
  addLikeRoutes(app, auth);
  addPolicyRoute(app, auth);
}
