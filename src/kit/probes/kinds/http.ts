/** Whether a target answers over HTTP or HTTPS as it should. */
import { HttpRun } from "../http-run.ts";
import { type ProbeForm, type ProbeKind, noSecrets } from "../probe.ts";
import { runTry } from "../try.ts";
import { httpSettings } from "./http-settings.ts";

/** Without the query, which may be a secret. */
function describeUrl(text: string): string {
  if (!URL.canParse(text)) return "";
  const { protocol, host, pathname } = new URL(text);
  return `${protocol === "http:" ? "http://" : ""}${host}${pathname === "/" ? "" : pathname}`;
}

export const http: ProbeKind<ReturnType<typeof httpSettings>, ReturnType<typeof noSecrets>> = {
  settings: httpSettings,
  secrets: noSecrets,
  describe: ({ method, url }) => `${method} ${describeUrl(url)}`,
  address: ({ url }) => url,
  host: ({ url }) => new URL(url).hostname.replace(/^\[|\]$/gu, ""),
  recipient: ({ url }) => new URL(url).origin,
  isHarmless: ({ method }) => ["GET", "HEAD", "OPTIONS"].includes(method),
  probe: (target, context) => runTry(context, (run) => new HttpRun(run, target).run()),
};

/** What has a body. */
const bodied = { name: "method", among: ["POST", "PUT", "PATCH", "DELETE"] };

export const httpForm: ProbeForm<ReturnType<typeof httpSettings>> = {
  icon: "globe",
  name: "{url}",
  fields: {
    url: { placeholder: "https://example.org/health" },
    contains: {},
    method: { folded: true },
    statuses: { min: 1, required: true, folded: true },
    headers: { kind: "pairs", listed: true, secret: true, folded: true },
    body: { when: bodied, folded: true },
    excludes: { folded: true },
    json: { fields: { path: { placeholder: "$.status" }, operator: {}, value: {} }, folded: true },
    // Agents of earlier versions reject it.
    maxBodyMib: { initial: 1, omitsInitial: true, folded: true },
    maxLatencyMs: { folded: true },
    certificateDays: { folded: true },
    maxRedirects: { folded: true },
    ignoresCertificate: { folded: true },
  },
};
