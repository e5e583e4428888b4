/** A short hash of a text where collisions are harmless. */

/** 64 bits of a text in base 36; equal texts have equal ones, others by chance alone. */
export function hashText(text: string): string {
  let a = 0x811c_9dc5;
  let b = 0x2ed2_ae35;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x0100_0193);
    b = Math.imul(b ^ unit ^ (a >>> 15), 0x0100_0193);
  }
  return `${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}`;
}
