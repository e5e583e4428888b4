/** @jsxImportSource hono/jsx */
/** The answer to an application as a form (OAuth 2.0 Form Post Response Mode): a page that sends itself, or by its button where no scripts run. */
import type { ServiceApp } from "../../../kit/http/app.ts";
import { PAGE_POLICY } from "../../../kit/http/security-headers.ts";
import type { ClientRecord } from "../../applications/schema.ts";
import { Hidden } from "../refusal.tsx";
import type { Visit } from "../visit.tsx";

const SCRIPT_PATH = "/assets/form-post.js";
const SCRIPT = 'document.querySelector("form").submit();\n';

/** An address as a policy names it: without its query, and without what ends a name there. */
export function toSource(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replaceAll(";", "%3B").replaceAll(",", "%2C");
}

/** Answers with the page. No form of it may go anywhere but to the application. */
export function postAnswer(
  { c, t, render }: Visit,
  { name }: Pick<ClientRecord, "name">,
  { redirectUri, fields }: { redirectUri: string; fields: Readonly<Record<string, string>> },
): Response {
  const target = `form-action ${toSource(redirectUri)}`;
  c.header("content-security-policy", PAGE_POLICY.replace("form-action 'self'", target));
  const title = t("forward.leavingTitle", { application: name });
  return render({
    title,
    narrow: true,
    // Without the forms of the frame.
    host: { origin: "", files: "" },
    body: (
      <>
        <h1>{title}</h1>
        <form method="post" action={redirectUri} class="stack">
          <Hidden fields={fields} />
          <button class="button primary wide" type="submit">
            {t("forward.continue")}
          </button>
        </form>
        <script type="module" src={SCRIPT_PATH}></script>
      </>
    ),
  });
}

/** Adds the script of the page; before the route of all other files. */
export function addFormPostScript(app: ServiceApp): void {
  app.get(SCRIPT_PATH, (c) =>
    c.body(SCRIPT, 200, {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=86400",
    }),
  );
}
