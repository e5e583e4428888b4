/** A document as a page that prints well, and as a file; each in a tab of its own. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";

/** The links; the document lies at `path` with "/html" and "/pdf", an e-invoice with "/xrechnung". */
export function PrintLinks({
  path,
  name,
  isEInvoice = false,
}: {
  path: string;
  name: string;
  isEInvoice?: boolean | undefined;
}): JSX.Element {
  return (
    <span class="print-links">
      {(["html", "pdf"] as const).map((format) => (
        <a
          key={format}
          class="button small"
          href={`${path}/${format}`}
          target="_blank"
          rel="noopener"
          aria-label={text(`shop.ui.print.${format}.of`, { name })}
        >
          {text(`shop.ui.print.${format}`)}
        </a>
      ))}
      {isEInvoice && (
        <a
          class="button small"
          href={`${path}/xrechnung`}
          target="_blank"
          rel="noopener"
          aria-label={`XRechnung ${name}`}
        >
          XRechnung
        </a>
      )}
    </span>
  );
}
