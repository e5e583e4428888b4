/** Each kind of mail with sample values, for administrators who want to see what people get. */
import { AppError } from "../../kit/errors.ts";
import type { Language } from "../../kit/text/languages.ts";
import type { MailMessage } from "../../kit/mail/mail.ts";
import type { AuthDeps } from "../base/deps.ts";
import { readSettings } from "../settings/settings.ts";
import { type MailSite, readMailSite } from "./mail-site.ts";
import {
  type Notice,
  LINK_MINUTES,
  codeMail,
  inviteMail,
  linkMail,
  noticeMail,
  noticePages,
  testMail,
  toLinkText,
  waitingMail,
  changesMail,
} from "./mails.ts";
import type { MailPreview } from "./preview-schema.ts";

const user = { email: "ann@example.org", username: "ann" };
const CODE = "12345678";
const TOKEN = `rst_${"sample".repeat(7)}x`;
const INVITE = "inv_sample";
const DAY_MS = 86_400_000;

interface Sample {
  readonly site: MailSite;
  readonly resetUrl: string;
  readonly nowMs: number;
}

const toReset = (purpose: "reset" | "set-password", minutes: number) => {
  return ({ site, resetUrl }: Sample): MailMessage => {
    const link = toLinkText(TOKEN, { resetUrl, publicUrl: site.publicUrl });
    return linkMail(user.email, { site, link, purpose, minutes });
  };
};

const notices = Object.keys(noticePages).filter((name): name is Notice => Object.hasOwn(noticePages, name));

const samples: ReadonlyMap<string, (sample: Sample) => MailMessage> = new Map([
  ...(["verify", "login", "email", "reauth", "identity"] as const).map(
    (purpose) =>
      [
        `code-${purpose}`,
        ({ site }: Sample) => codeMail(user.email, { site, code: CODE, purpose, username: user.username }),
      ] as const,
  ),
  ["reset-link", toReset("reset", LINK_MINUTES)] as const,
  ["set-password-link", toReset("set-password", 24 * 60)] as const,
  [
    "invite",
    ({ site, nowMs }: Sample) =>
      inviteMail(user.email, { site, code: INVITE, expiresAt: nowMs + 30 * DAY_MS }),
  ] as const,
  ...notices.map(
    (notice) =>
      [
        `notice-${notice}`,
        ({ site }: Sample) => noticeMail(user, { site, notice, provider: "Google" }),
      ] as const,
  ),
  [
    "waiting-accounts",
    ({ site }: Sample) => waitingMail(user.email, { site, names: ["ben", "carla"], count: 3 }),
  ] as const,
  [
    "admin-changes",
    ({ site, nowMs }: Sample) =>
      changesMail(user.email, {
        site,
        changes: [
          {
            entry: {
              at: nowMs,
              actor: "user ann",
              action: "client.change",
              target: "notes",
              clientId: "unknown",
              network: "192.0.2.0/24",
            },
            changes: ["redirectUris"],
          },
        ],
      }),
  ] as const,
  ["test", ({ site }: Sample) => testMail(user.email, site)] as const,
]);

export type MailPreviews = ReturnType<typeof createMailPreviews>;

export function createMailPreviews(deps: Pick<AuthDeps, "store" | "clock" | "publicUrl">) {
  const { store, clock } = deps;

  const readSample = (language: Language | undefined): Promise<Sample> =>
    store.read(async (tx) => ({
      site: await readMailSite(tx, deps, { locale: language }),
      resetUrl: (await readSettings(tx, "registration")).fields.resetUrl,
      nowMs: clock.now(),
    }));

  return {
    /** Every kind with its subject, in the site's language unless told. */
    list: async (language: Language | undefined): Promise<Pick<MailPreview, "kind" | "subject">[]> => {
      const sample = await readSample(language);
      return Array.from(samples, ([kind, make]) => ({ kind, subject: make(sample).subject }));
    },
    /** Throws `not_found`. */
    get: async (kind: string, language: Language | undefined): Promise<MailPreview> => {
      const make = samples.get(kind);
      if (make === undefined) throw new AppError("not_found", `The email template "${kind}" does not exist`);
      const sample = await readSample(language);
      const { subject, text, html = "" } = make(sample);
      return { kind, language: sample.site.language, subject, text, html };
    },
  };
}
