/** @jsxImportSource hono/jsx */
/** The page for who may not use an application, with the way to come with another account. */
import { Form } from "../../html/form.tsx";
import type { ClientRecord } from "../applications/schema.ts";
import type { MissingStep } from "../applications/may-use.ts";
import type { PageOptions, Visit } from "./visit.tsx";

const words = { group: "forward.denied", network: "forward.network" } as const;

interface RefusalParts {
  readonly client: ClientRecord;
  readonly username: string;
  /** The missing requirement; a step that users can take themselves only keeps out an impersonating administrator. */
  readonly reason?: MissingStep;
  /** For administrators: where the reason is recorded; otherwise undefined. */
  readonly reasonUrl?: string | undefined;
  /** The form that ends this session, and leads to another one. */
  readonly form: {
    readonly action: string;
    readonly token: string;
    readonly fields: Readonly<Record<string, string>>;
  };
}

export function toRefusal(
  { t }: Pick<Visit, "t">,
  { client, username, form, reason = "group", reasonUrl }: RefusalParts,
): PageOptions {
  const key = reason === "group" || reason === "network" ? words[reason] : "forward.actsAs";
  const title = t("forward.deniedTitle", { application: client.name });
  return {
    title,
    narrow: true,
    status: 403,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{title}</h1>
          <p class="muted">{t(client.enabled ? key : "forward.off", { username })}</p>
        </div>
        <Form action={form.action} token={form.token}>
          <Hidden fields={form.fields} />
          <button class="button primary wide" type="submit">
            {t("forward.another")}
          </button>
        </Form>
        {reasonUrl === undefined ? (
          <></>
        ) : (
          <a class="button wide" href={reasonUrl}>
            {t("setup.open")}
          </a>
        )}
      </>
    ),
  };
}

/** Hidden fields of a form. */
export function Hidden({ fields }: { readonly fields: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
