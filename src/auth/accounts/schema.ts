/** The words of accounts: what people type, and how users, profiles and registrations look in the store. */
import { z } from "zod";
import { ownClaimsSchema } from "../claims/schema.ts";
import { fieldHints } from "../../kit/text/field-hints.ts";
import { line, text, timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import { MAX_GROUPS, groupIdSchema, rolesHeldSchema } from "../base/ledger-schema.ts";

/** A name in addresses and mentions; case is kept for show and ignored for comparison. */
export const usernameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,38}[A-Za-z0-9])?$/u,
    "must be 1 to 40 letters, digits, dots, - or _, and start and end with a letter or digit",
  )
  .register(fieldHints, { max: 40 });

/** An address whose domain is written as DNS has it: "ann@bücher.example" with "xn--bcher-kva.example" (RFC 5891). */
export function toAsciiDomain(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  if (at < 2 || !/[^\u0000-\u007f]/u.test(domain) || !/^[\p{L}\p{M}\p{N}.\u3002-]+$/u.test(domain))
    return address;
  const url = `http://${domain}`;
  return URL.canParse(url) ? address.slice(0, at) + new URL(url).hostname : address;
}

/** One mailbox (the practical part of RFC 5321): ASCII, no quotes, no comments. */
export const emailSchema = z
  .string()
  .overwrite(toAsciiDomain)
  .max(254)
  .regex(
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/u,
    "must be an email address such as ann@example.org",
  )
  .register(fieldHints, { keyboard: "email" });

/**
 * A password as typed; the policy has more rules. 1,024 UTF-16 units limit the work before code points are counted.
 */
export const passwordSchema = z.string().min(1).max(1_024);

const storedNameSchema = trimmedLine(80);

/** Joiners that some scripts and composed pictographs are written with. */
const JOINER =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{M}\p{Emoji_Presentation}\p{Extended_Pictographic}\ufe0f])[\u200c\u200d]/gu;
/** Controls of direction, and what takes no place on a screen: with them a name looks like another one. */
const UNSEEN = /[\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/u;

function isPlainName(name: string): boolean {
  return !UNSEEN.test(name.replaceAll(JOINER, ""));
}

const NOT_PLAIN = "must not contain invisible characters or text direction controls";

/** A name as people set it from now on; stored ones may be older. */
export const displayNameSchema = storedNameSchema.refine(isPlainName, NOT_PLAIN);

/** A BCP 47 language tag in its usual form, such as "de-AT". */
export const localeSchema = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/u, "must be a language tag such as en or de-AT");

/** A page of the web, for profiles. */
const webUrl = line(300)
  .pipe(z.url({ protocol: /^https?$/u, error: "must be a URL such as https://example.org" }))
  .register(fieldHints, { keyboard: "url" });

/** The applicant's message to the administrators. */
export const signUpMessageSchema = text(500);

export const userStatusSchema = z.enum(["pending", "active", "suspended", "deleted"]);
export type UserStatus = z.infer<typeof userStatusSchema>;
export const roleSchema = z.enum(["user", "admin"]);

/** The second factor of an account; `sealedSecret` is opened only to check a code. */
const mfaSchema = z.object({
  totp: z
    .object({
      sealedSecret: z.string(),
      /** Absent until the first code confirmed it. */
      confirmedAt: timeMs.optional(),
      /** The last time step used; it and earlier ones are refused (RFC 6238 section 5.2). */
      lastStep: z.number().int().optional(),
    })
    .optional(),
  /** Keyed hashes of the recovery codes that are left. */
  recovery: z.array(z.string()).max(10).default([]),
  /** Wrong codes since the last right one. */
  failures: z.number().int().min(0).default(0),
  lockedUntil: timeMs.optional(),
});

export const userRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  username: z.string(),
  usernameLower: z.string(),
  email: z.string(),
  emailLower: z.string(),
  emailVerifiedAt: timeMs.optional(),
  status: userStatusSchema,
  role: roleSchema,
  /** PHC string; absent if the account has no password. */
  passwordHash: z.string().optional(),
  passwordChangedAt: timeMs.optional(),
  /** Sessions made with another epoch are dead: raising it ends them all at once. */
  tokenEpoch: z.number().int(),
  mfa: mfaSchema,
  /** The account's ID for authenticators: 64 random bytes in base64url, created with the first passkey. */
  passkeyHandle: z.string().optional(),
  /** The owner wants to be offered no passkey after signing in. */
  passkeyOffer: z.literal("never").optional(),
  points: z.number().int(),
  /** Groups that the account is in; absent: none. */
  groups: z.array(groupIdSchema).max(MAX_GROUPS).optional(),
  /** Custom roles; absent: none. Owners and administrators have `role` "admin". */
  roles: rolesHeldSchema.optional(),
  /** Additional claims for applications, by name. */
  claims: ownClaimsSchema.optional(),
  locale: z.string(),
  timeZone: z.string(),
  createdAt: timeMs,
  lastLoginAt: timeMs.optional(),
  lastLoginClient: z.string().optional(),
  suspendedUntil: timeMs.optional(),
  suspendedReason: z.string().optional(),
  /** When a deleted account is removed for good. */
  purgeAfter: timeMs.optional(),
  deletedBy: z.enum(["self", "admin"]).optional(),
  registeredVia: z.object({
    clientId: z.string(),
    inviteId: z.string().optional(),
    mode: z.enum(["open", "invite", "approval", "admin", "import"]),
  }),
  termsVersion: z.string().optional(),
  /** Message to the administrators; removed once they decided. */
  signUpMessage: z.string().optional(),
  /** Grows when a person or an administrator changes the account, not with each sign-in: the entity tag. */
  editVersion: z.number().int(),
});
export type UserRecord = z.infer<typeof userRecordSchema>;

export const profileFieldsSchema = z.strictObject({
  displayName: storedNameSchema,
  /** For applications that request names in parts; "" if absent. Names are never split. */
  givenName: line(80).trim().default(""),
  familyName: line(80).trim().default(""),
  bio: text(500).default(""),
  website: webUrl.or(z.literal("")).default(""),
  location: line(100).trim().default(""),
  links: z
    .array(z.strictObject({ label: trimmedLine(40), url: webUrl }))
    .max(5)
    .default([]),
  visibility: z.enum(["public", "unlisted", "private"]).default("private"),
  inDirectory: z.boolean().default(false),
  showStreak: z.boolean().default(false),
  showJoined: z.boolean().default(false),
  likePolicy: z.enum(["anyone", "signed-in", "off"]).default("anyone"),
});
export type ProfileFields = z.infer<typeof profileFieldsSchema>;

/** "https://bank.example@evil.example" leads elsewhere than it seems. */
const plainUrl = webUrl.refine((text) => {
  // Invalid URLs were rejected above, but get here all the same.
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}, "must not contain a username or password");

/** The same as people set it from now on. */
export const profileInputSchema = profileFieldsSchema.extend({
  displayName: displayNameSchema,
  givenName: profileFieldsSchema.shape.givenName.unwrap().refine(isPlainName, NOT_PLAIN).default(""),
  familyName: profileFieldsSchema.shape.familyName.unwrap().refine(isPlainName, NOT_PLAIN).default(""),
  website: plainUrl.or(z.literal("")).default(""),
  links: z
    .array(z.strictObject({ label: trimmedLine(40).refine(isPlainName, NOT_PLAIN), url: plainUrl }))
    .max(5)
    .default([]),
  /** Without a default: omitting the field must not enable what the owner disabled. */
  likePolicy: profileFieldsSchema.shape.likePolicy.unwrap().optional(),
});
/** All fields as PUT brings them. */
export type ProfileInput = z.infer<typeof profileInputSchema>;

/** The fields to change. A default left in a schema would be filled in for a field that was not sent. */
export const profilePatchSchema = z.strictObject({
  displayName: profileInputSchema.shape.displayName.optional(),
  givenName: profileInputSchema.shape.givenName.unwrap().optional(),
  familyName: profileInputSchema.shape.familyName.unwrap().optional(),
  bio: profileInputSchema.shape.bio.unwrap().optional(),
  website: profileInputSchema.shape.website.unwrap().optional(),
  location: profileInputSchema.shape.location.unwrap().optional(),
  links: profileInputSchema.shape.links.unwrap().optional(),
  visibility: profileInputSchema.shape.visibility.unwrap().optional(),
  inDirectory: profileInputSchema.shape.inDirectory.unwrap().optional(),
  showStreak: profileInputSchema.shape.showStreak.unwrap().optional(),
  showJoined: profileInputSchema.shape.showJoined.unwrap().optional(),
  likePolicy: profileInputSchema.shape.likePolicy.unwrap().optional(),
} satisfies Record<keyof ProfileFields, z.ZodType>);
export type ProfilePatch = z.infer<typeof profilePatchSchema>;

export const profileRecordSchema = z.object({
  ...profileFieldsSchema.shape,
  /** The user's id. */
  id: z.string(),
  version: z.number().int(),
  username: z.string(),
  usernameLower: z.string(),
  /** SHA-256 of the picture, hex; absent without one. */
  avatarHash: z.string().optional(),
  likes: z.number().int().min(0),
  joinedAt: timeMs,
  /** Last change of what it says, or of its picture; absent before the first. */
  updatedAt: timeMs.optional(),
  /** In the directory: public, wanted there, and the account active. */
  listed: z.boolean(),
  editVersion: z.number().int(),
});
export type ProfileRecord = z.infer<typeof profileRecordSchema>;

/**
 * A registration with an unverified mailbox. A decoy is created for an address that has an account: it reserves the
 * username as long as a real one would, and no code opens it.
 */
export const registrationRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  decoy: z.boolean(),
  username: z.string(),
  usernameLower: z.string(),
  email: z.string(),
  emailLower: z.string(),
  passwordHash: z.string(),
  /** Another registration for this mailbox had another password: none is taken over. */
  contested: z.boolean(),
  displayName: z.string(),
  locale: z.string(),
  inviteId: z.string().optional(),
  clientId: z.string(),
  termsVersion: z.string().optional(),
  signUpMessage: z.string().optional(),
  createdAt: timeMs,
  expiresAt: timeMs,
});
export type RegistrationRecord = z.infer<typeof registrationRecordSchema>;

export const emailPurposeSchema = z.enum(["login", "recovery", "notify"]);

/** An additional address of an account; the primary one is part of the user. */
export const emailRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  userId: z.string(),
  address: z.string(),
  addressLower: z.string(),
  /** Equal to `addressLower` once verified: unique among verified addresses only. */
  verifiedLower: z.string().optional(),
  verifiedAt: timeMs.optional(),
  purposes: z.array(emailPurposeSchema),
  createdAt: timeMs,
});
export type EmailRecord = z.infer<typeof emailRecordSchema>;
