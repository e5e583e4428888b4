/** Emails as pings: what a mail server, or a service that receives emails, posts as it came (RFC 5322). */
import { AppError } from "../../kit/errors.ts";

/** Bytes of an email that are read: attachments come last. */
export const MAX_MAIL_BYTES = 262_144;
const MAX_DEPTH = 20;
const MAX_HEADER_BYTES = 65_536;

/** Sender, subject and text of an email, as one text. @throws AppError `bad_request` for anything else */
export async function readMail(bytes: Uint8Array): Promise<string> {
  // Loaded with the first email.
  const { default: PostalMime } = await import("postal-mime");
  try {
    const {
      from,
      subject = "",
      text = "",
      html,
      headers,
    } = await PostalMime.parse(bytes, {
      maxNestingDepth: MAX_DEPTH,
      maxHeadersSize: MAX_HEADER_BYTES,
    });
    if (headers.some(({ key }) => key === "from" || key === "subject" || key === "received")) {
      const body = text.trim() === "" ? toPlain(html ?? "") : text;
      return `From: ${from?.address ?? ""}\nSubject: ${subject}\n\n${body.trim()}\n`;
    }
  } catch {
    // Such as parts within parts without end.
  }
  throw new AppError("bad_request", "The body must be an email as it was received, with its headers");
}

/** The words of a page, for a look at them. */
function toPlain(html: string): string {
  return html.replaceAll(/<[^>]{0,2000}>/gu, " ").replaceAll(/[ \t]+/gu, " ");
}
