/** The mail server as it is stored, and as an administrator sees it. */
import { z } from "zod";
import { line } from "../../kit/text/schemas.ts";

export const mailServerSchema = z.object({
  host: line(253)
    .trim()
    .default("")
    .describe("Host name or IP address of the mail server; empty: the server of SMTP_URL"),
  port: z.number().int().min(1).max(65_535).default(587),
  security: z
    .enum(["tls", "starttls", "none"])
    .default("starttls")
    .describe(
      "Encryption: implicit TLS, STARTTLS, or none. Without encryption, no password is sent to other machines",
    ),
  user: line(254).default("").describe('"" for a server without sign-in'),
  from: line(320).trim().default("").describe("Sender, such as Status <status@example.org>"),
  /** Sealed. */
  password: z.string().optional(),
});
export type MailServerFields = z.infer<typeof mailServerSchema>;

/** The form of the mail server, with who gets a test email. */
export const mailServerFormSchema = mailServerSchema.extend({ to: line(254).trim().default("") });

const { password: _password, ...shown } = mailServerSchema.shape;
/** The view for administrators, without the password. */
export const mailServerViewSchema = z.object({
  ...shown,
  passwordSet: z.boolean(),
  version: z.number().int(),
  source: z
    .enum(["settings", "environment", "none"])
    .describe("Which mail server is used. A host in the settings takes precedence over SMTP_URL"),
  environment: z
    .object({
      host: z.string(),
      port: z.number().int(),
      security: z.string(),
      user: z.string().optional(),
      from: z.string(),
    })
    .optional()
    .describe("Mail server of SMTP_URL, without its password"),
});
export type MailServerView = z.infer<typeof mailServerViewSchema>;
