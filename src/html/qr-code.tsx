/** @jsxImportSource hono/jsx */
/** QR codes as pictures in a page. */
import { raw } from "hono/html";
import { encodeQR } from "qr";
import { escapeHtml } from "../kit/text/html.ts";

/** A QR code as one path: a square of the picture is one unit. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const rows = encodeQR(text, "raw", { border: 4 });
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  // As text: hono keeps contexts for the elements of SVG, as `render.ts` says.
  return raw(
    `<svg class="qr" viewBox="0 0 ${rows.length} ${rows.length}" role="img" aria-label="${escapeHtml(label)}"><path fill="currentColor" d="${squares.join("")}"/></svg>`,
  );
}
