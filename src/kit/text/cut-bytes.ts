/** As many characters of a text as fit whole into so many bytes of UTF-8. */
export function cutBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  // As part of a stream, so that a character that is cut off waits for its rest and is left out.
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
}
