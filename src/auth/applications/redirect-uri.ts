/** Addresses to which an application may have browsers sent: web addresses, and schemes that an app on a device owns (RFC 8252 section 7.1). */
import { line } from "../../kit/text/schemas.ts";

export const MAX_URL = 1_000;

/** Schemes that a browser shows or runs itself. */
const BROWSER =
  "about blob data file filesystem javascript livescript mocha vbscript jar mhtml res resource view-source chrome edge moz-icon wyciwyg";
/** Protocols of networks. */
const NETWORK =
  "ws wss ftp ftps sftp tftp gopher ldap ldaps nntp news telnet ssh smb nfs dict imap pop rtsp irc ircs git svn dns";
/** Schemes that write, call, pay or download. */
const ACTION =
  "mailto tel callto sms smsto mms mmsto sip sips xmpp facetime geo magnet webcal feed market payto bitcoin itms itms-apps itms-services";
/** Schemes that a system opens with any of its programs, and names that lead nowhere. */
const SYSTEM = "intent android-app content package shell hcp search-ms cid mid urn tag";

/** Schemes that never lead back to an application. A deny-list, because apps choose their schemes freely ("oc", "audiobookshelf"). */
const foreignSchemes: ReadonlySet<string> = new Set([BROWSER, NETWORK, ACTION, SYSTEM].join(" ").split(" "));

const WHOLE = "must be a full URI such as https://app.example.org/callback or com.example.app:/callback";

/** The problem of a URL; undefined if it can be registered. */
function findProblem(text: string): string | undefined {
  if (text.includes("*"))
    return "must not contain *. Wildcards are not supported, because codes could be sent to unregistered URLs. List every URL in full";
  if (!URL.canParse(text)) return WHOLE;
  const { protocol, host, username, password } = new URL(text);
  const scheme = protocol.slice(0, -1);
  // A single letter is a drive of Windows, and "ms-" begins the schemes of Microsoft's programs.
  if (scheme.length < 2) return WHOLE;
  if (foreignSchemes.has(scheme) || scheme.startsWith("ms-"))
    return `must not begin with ${protocol} because this scheme never opens an application`;
  if (text.includes("#")) return "must not contain a fragment (#)";
  if (username !== "" || password !== "") return "must not contain a username or a password";
  // "https:app.example.org" is read as an address with a host, and compared as the text that it is.
  const isWeb = scheme === "http" || scheme === "https";
  return isWeb && (host === "" || !/^https?:\/\//iu.test(text)) ? WHOLE : undefined;
}

/** Kept as it was written, because it is compared as text (RFC 9700 section 4.1.3). */
export const redirectAddress = line(MAX_URL).superRefine((text, issues) => {
  const message = findProblem(text);
  if (message !== undefined) issues.addIssue({ code: "custom", message, input: text });
});

/** Whether an address can be registered. */
export function isRedirectAddress(text: string): boolean {
  return findProblem(text) === undefined;
}
