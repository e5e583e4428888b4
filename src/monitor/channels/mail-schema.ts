/** The mail server as it is stored, and as an administrator sees it. */
import { z } from "zod";
import { line } from "../../kit/text/schemas.ts";

export const mailServerSchema = z.object({
  host: line(253).trim().default("").describe('The name or address of the server; "" for that of SMTP_URL'),
  port: z.number().int().min(1).max(65_535).default(587),
  security: z
    .enum(["tls", "starttls", "none"])
    .default("starttls")
    .describe("TLS from the first byte, STARTTLS, or neither, which takes no password to another machine"),
  user: line(254).default("").describe('"" for a server without sign-in'),
  from: line(320).trim().default("").describe("One mailbox, such as Status <status@example.org>"),
  /** Sealed. */
  password: z.string().optional(),
});
export type MailServerFields = z.infer<typeof mailServerSchema>;

/** The form of the mail server, with who gets a test email. */
export const mailServerFormSchema = mailServerSchema.extend({ to: line(254).trim().default("") });

const { password: _password, ...shown } = mailServerSchema.shape;
/** What an administrator sees; never the password. */
export const mailServerViewSchema = z.object({
  ...shown,
  passwordSet: z.boolean(),
  version: z.number().int(),
  source: z
    .enum(["settings", "environment", "none"])
    .describe("Whose server mails leave through: a host of the settings wins over SMTP_URL"),
  environment: z
    .object({
      host: z.string(),
      port: z.number().int(),
      security: z.string(),
      user: z.string().optional(),
      from: z.string(),
    })
    .optional()
    .describe("The server of SMTP_URL, without its password"),
});
export type MailServerView = z.infer<typeof mailServerViewSchema>;
