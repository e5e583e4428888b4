/** The texts of mails as the outbox keeps them: sealed, since they hold codes, links and licence keys. */
import type { MailMessage } from "../kit/mail/mail.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";

const PURPOSE = "outbox";

interface SealedTexts {
  /** "" for a draft: an earlier version cannot read it then, and does not send it as if it were the text. */
  readonly sealedText: string;
  readonly sealedDraft?: string;
  readonly sealedHtml?: string;
  readonly sealedUnsubscribe?: string;
}

/** Seals what a mail says. */
export function sealTexts(
  box: SecretBox,
  {
    text,
    html,
    unsubscribe,
    draft,
  }: Pick<MailMessage, "text" | "html" | "unsubscribe"> & { readonly draft?: string | undefined },
): SealedTexts {
  const sealedUnsubscribe = unsubscribe === undefined ? undefined : box.seal(unsubscribe, PURPOSE);
  if (draft !== undefined)
    return { sealedText: "", sealedDraft: box.seal(draft, PURPOSE), sealedUnsubscribe };
  return {
    sealedText: box.seal(text, PURPOSE),
    sealedHtml: html === undefined ? undefined : box.seal(html, PURPOSE),
    sealedUnsubscribe,
  };
}

/** The text, or undefined when it was sealed with another key. */
export function openText(box: SecretBox, sealed: string): string | undefined {
  try {
    return box.open(sealed, PURPOSE);
  } catch {
    return undefined;
  }
}

/** The mail, or undefined when its texts were sealed with another key; without text and HTML where it is a draft. */
export function openMessage(
  box: SecretBox,
  record: SealedTexts & { readonly id: string; readonly to: string; readonly subject: string },
): MailMessage | undefined {
  const { id, to, subject, sealedText, sealedHtml, sealedUnsubscribe: sealedUrl } = record;
  const text = sealedText === "" ? "" : openText(box, sealedText);
  const html = sealedHtml === undefined ? undefined : openText(box, sealedHtml);
  if (text === undefined || (sealedHtml !== undefined && html === undefined)) return undefined;
  const unsubscribe = sealedUrl === undefined ? undefined : openText(box, sealedUrl);
  return {
    id,
    to,
    subject,
    text,
    html,
    unsubscribe,
  };
}
