/** A printed document as a page that prints well: no script, nothing from elsewhere. */
import { toDirection } from "../../kit/text/direction.ts";
import { escapeHtml } from "../../kit/text/html.ts";
import type { PrintDocument } from "./print-document.ts";

const STYLE = `
@page { size: A4; margin: 18mm 18mm 20mm }
:root { color-scheme: light }
body { font: 10.5pt/1.45 system-ui, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif; color: #111;
  background: #fff; max-width: 190mm; margin: 0 auto; padding: 8mm 4mm; overflow-wrap: anywhere }
@media print { body { padding: 0; max-width: none } }
header { display: flex; justify-content: space-between; gap: 10mm }
header p { margin: 0 }
.logo { display: block; max-width: 55mm; max-height: 17mm; margin-block: 0 5mm; margin-inline: auto 0 }
.sender { text-align: end; font-size: 9pt; color: #333 }
h1 { font-size: 18pt; margin: 10mm 0 3mm }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 6mm; margin: 0 0 6mm }
dt { color: #555 } dd { margin: 0 }
table { border-collapse: collapse; width: 100% }
thead { display: table-header-group }
tr { break-inside: avoid }
th { text-align: start; border-bottom: 1pt solid #111; padding-block: 1mm; padding-inline: 0 2mm }
td { vertical-align: top; border-bottom: .4pt solid #bbb; padding-block: 1.5mm; padding-inline: 0 2mm }
.n { text-align: end; white-space: nowrap; padding-inline: 3mm 0 }
small { display: block; color: #555 }
.sums { width: auto; margin-block: 4mm 6mm; margin-inline: auto 0 } .sums td { border: 0; padding: .5mm 0 }
.sums tr:last-child td { font-weight: bold; border-top: 1pt solid #111 }
.tax { width: auto; min-width: 60% } .tax td, .tax th { font-size: 9pt }
footer { margin-top: 8mm; padding-top: 2mm; border-top: .4pt solid #bbb; font-size: 9pt; color: #333; white-space: pre-line }`;

const lines = (all: readonly string[]): string => all.map(escapeHtml).join("<br>");

function toTable({ columns, rows }: PrintDocument): string {
  if (columns.length === 0) return "";
  const mark = (index: number): string => (columns[index]?.isNumber === true ? ' class="n"' : "");
  const head = columns.map(({ label }, index) => `<th${mark(index)}>${escapeHtml(label)}</th>`);
  const body = rows.map(({ cells, details = [] }) => {
    const small = details.map((text) => `<small>${escapeHtml(text)}</small>`).join("");
    const shown = cells.map(
      (cell, index) => `<td${mark(index)}>${escapeHtml(cell)}${index === 0 ? small : ""}</td>`,
    );
    return `<tr>${shown.join("")}</tr>`;
  });
  return `<table><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("\n")}</tbody></table>`;
}

function toSummary({ summary }: PrintDocument): string {
  if (summary === undefined) return "";
  const cell = (tag: string) => (text: string, index: number) =>
    `<${tag}${index === 0 ? "" : ' class="n"'}>${escapeHtml(text)}</${tag}>`;
  const rows = summary.rows.map((row) => `<tr>${row.map(cell("td")).join("")}</tr>`);
  const head = summary.columns.map(cell("th")).join("");
  return `<table class="tax"><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** The page of a document. */
export function toHtml(document: PrintDocument): string {
  const { language, title, sender, recipient, facts, sums, notes, footer, logo } = document;
  const rows = facts.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`);
  const totals = sums.map(
    ([label, value]) => `<tr><td>${escapeHtml(label)}</td><td class="n">${escapeHtml(value)}</td></tr>`,
  );
  return [
    `<!doctype html><html lang="${escapeHtml(language)}" dir="${toDirection(language)}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)} ${escapeHtml(facts[0]?.[1] ?? "")}</title>`,
    `<style>${STYLE}</style></head><body>`,
    logo === undefined
      ? ""
      : `<img class="logo" src="${escapeHtml(logo.address)}" alt="${escapeHtml(logo.alt)}">`,
    `<header><p>${lines(recipient)}</p><p class="sender">${lines(sender)}</p></header>`,
    `<h1>${escapeHtml(title)}</h1><dl>${rows.join("")}</dl>`,
    toTable(document),
    totals.length === 0 ? "" : `<table class="sums"><tbody>${totals.join("")}</tbody></table>`,
    toSummary(document),
    ...notes.map((note) => `<p>${escapeHtml(note)}</p>`),
    footer.length === 0 ? "" : `<footer>${escapeHtml(footer.join("\n"))}</footer>`,
    "</body></html>\n",
  ].join("\n");
}
