/** The Content-Disposition of files whose names people chose (RFC 6266, RFC 8187). */

/** Characters that attr-char of RFC 8187 section 3.2.1 lacks and encodeURIComponent leaves as they are. */
const LEFT_OUT = /['()*]/gu;

/** Every character of a text in UTF-8, percent-encoded unless RFC 8187 allows it unencoded. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(
    LEFT_OUT,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A file to be kept under a name; programs that do not know `filename*` get a name of ASCII alone. */
export function toAttachmentDisposition(name: string): string {
  // Half a surrogate pair has no UTF-8.
  const whole = name.replace(/\p{Surrogate}/gu, "_");
  const plain = whole.replace(/[^ !#$&'()+,\-.0-9;=@A-Z[\]^_`a-z{}~]/gu, "_");
  const first = `attachment; filename="${plain}"`;
  return plain === whole ? first : `${first}; filename*=UTF-8''${encodeExtended(whole)}`;
}
