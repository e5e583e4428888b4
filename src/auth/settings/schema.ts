/** The five groups of settings: what an administrator may set, with defaults that are safe from the first start. */
import { z } from "zod";
import { originSchema } from "../applications/schema.ts";
import { accentSchema, logoSchema } from "../../kit/brand/schema.ts";
import { requireTwoFactorSchema } from "../policy/grace.ts";
import { sitePolicySchema } from "../base/policy-schema.ts";
import { languages } from "../../kit/text/languages.ts";
import { line, text, timeZone, trimmedLine } from "../../kit/text/schemas.ts";

/** A domain of addresses; comparisons are of lower case. */
export const domainSchema = z
  .string()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/u,
    "must be a domain in lower case",
  );

/** Where a link of the pages leads; "" for none. */
const link = z
  .url({ protocol: /^https?$/u })
  .max(300)
  .or(z.literal(""))
  .default("");

export const registrationSettingsSchema = z.strictObject({
  /** The name that mails and authenticator apps show. */
  siteName: trimmedLine(60).default("Trivet"),
  /** Of mails and pages for people whose own is not known. */
  language: z.enum(languages).default("en"),
  mode: z.enum(["open", "invite", "approval", "closed"]).default("open"),
  emailVerification: z.enum(["required", "optional", "off"]).default("required"),
  /** When not empty, only addresses of these domains register. */
  allowedDomains: z.array(domainSchema).max(200).default([]),
  blockedDomains: z.array(domainSchema).max(1_000).default([]),
  usernameMinLength: z.number().int().min(1).max(40).default(2),
  usernameMaxLength: z.number().int().min(1).max(40).default(40),
  /** Reserved names, in lowercase. */
  reservedUsernames: z
    .array(z.string().max(40).toLowerCase())
    .max(500)
    .default(["admin", "administrator", "root", "support", "system", "me", "api"]),
  /** Code points; NIST SP 800-63B-4 wants 8 at the least beside a second factor, 15 without. */
  passwordMinLength: z.number().int().min(8).max(64).default(8),
  /** Whether administrators need a second factor or a passkey; "auto": but where people reach the center on this machine alone, and there as soon as one of them has one. */
  adminSecondFactor: z.enum(["auto", "required", "off"]).default("auto"),
  requireTwoFactor: requireTwoFactorSchema.prefault({}),
  /** The default policy for sign-ins at applications. */
  applicationPolicy: sitePolicySchema.prefault({}),
  /** The terms that must be accepted; "" asks for none. */
  termsVersion: line(40).default(""),
  termsUrl: link,
  /**
   * The page of an application where people choose a new password; "{token}" is replaced by the link's token. "": this
   * center's own.
   */
  resetUrl: z
    .string()
    .max(300)
    .regex(/^https?:\/\/(?=\S*\{token\})\S+$/u, "must be a URL that contains {token}")
    .or(z.literal(""))
    .default(""),
  /**
   * Whether proxies may ask GET /api/auth/forward, which takes the application from X-Forwarded-Host. A proxy that
   * passes the client's host on lets the client choose the application, so this is for the time until all proxies name it.
   */
  unnamedForwardRoute: z.boolean().default(false),
  /** Origins besides our own whose pages may ask for our passkeys, such as "https://shop.example.org" (related origins). */
  passkeyOrigins: z.array(originSchema).max(20).default([]),
  /** Wrong passwords and passkeys from one address (IPv6 by /64) until everyone behind it has to wait. */
  failuresPerAddress: z.number().int().min(5).max(1_000).default(10),
  /** The time in which they are counted. */
  failureWindowMinutes: z.number().int().min(1).max(60).default(10),
  /** Registrations from one address (IPv6 by /64) in a day. */
  maxPerAddressPerDay: z.number().int().min(1).max(100_000).default(20),
});
export type RegistrationSettings = z.infer<typeof registrationSettingsSchema>;

/** How the pages look and what they link. The name and the terms are with the registration, which asks for them. */
export const brandingSettingsSchema = z.strictObject({
  /** A PNG or SVG of at most 64 KiB as a data address, without scripts; "" for the product's mark. */
  logo: logoSchema.default(""),
  /** One colour a theme that can be read in it (4.5:1); "" for the product's own. */
  accent: accentSchema.prefault({}),
  privacyUrl: link,
  imprintUrl: link,
  /** Rules after the product's own. The pages' policy lets them load nothing from elsewhere. */
  customCss: text(30_000).default(""),
  /** Whether those who come from the shop of this install see its name, logo, and accent where none is set here. */
  shopBrand: z.boolean().default(true),
});
export type BrandingSettings = z.infer<typeof brandingSettingsSchema>;

export const checkInSettingsSchema = z
  .strictObject({
    enabled: z.boolean().default(true),
    /** The day begins at midnight of this zone, for all users. */
    timeZone: timeZone.default("UTC"),
    /** Points a day: equal numbers give a fixed reward, others a random one in between, both included. */
    rewardMin: z.number().int().min(0).max(1_000_000).default(10),
    rewardMax: z.number().int().min(0).max(1_000_000).default(10),
    /** Points on top when a streak reaches a length, once (`every` false) or at each multiple. */
    streakBonuses: z
      .array(
        z.strictObject({
          days: z.number().int().min(2).max(3_650),
          bonus: z.number().int().min(1).max(1_000_000),
          every: z.boolean().default(false),
        }),
      )
      .max(20)
      .default([{ days: 7, bonus: 20, every: true }]),
    /** Hours that an account must have existed. */
    minAccountAgeHours: z.number().int().min(0).max(8_760).default(0),
    requireVerifiedEmail: z.boolean().default(true),
  })
  .refine((s) => s.rewardMin <= s.rewardMax, {
    path: ["rewardMax"],
    error: "must not be less than rewardMin",
  });
export type CheckInSettings = z.infer<typeof checkInSettingsSchema>;

export const inviteSettingsSchema = z.strictObject({
  /** Defaults of a new invite. */
  defaultMaxUses: z.number().int().min(1).max(100_000).default(1),
  /** Days until a new invite expires; 0: never. */
  defaultTtlDays: z.number().int().min(0).max(3_650).default(30),
});
export type InviteSettings = z.infer<typeof inviteSettingsSchema>;

export const mailSettingsSchema = z.strictObject({
  enabled: z.boolean().default(false),
  host: line(253).default(""),
  port: z.number().int().min(1).max(65_535).default(587),
  security: z.enum(["tls", "starttls", "none"]).default("starttls"),
  user: line(254).default(""),
  /** Never shown again: answers have `passwordSet`. Left out, the stored one stays. Sealed in the store, which makes it longer. */
  password: z.string().max(3_000).optional(),
  from: line(254).default(""),
});
export type MailSettings = z.infer<typeof mailSettingsSchema>;

/** The same by the names that requests and answers have. */
export const sentMailSettingsSchema = mailSettingsSchema
  .omit({ user: true })
  .extend({ username: mailSettingsSchema.shape.user });
