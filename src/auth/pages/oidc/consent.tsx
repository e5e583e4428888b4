/** @jsxImportSource hono/jsx */
/** Asks for consent to an application's request. */
import type { Child } from "hono/jsx";
import type { FormState } from "../../../html/faults.ts";
import { Form, FormFaults } from "../../../html/form.tsx";
import type { ClientRecord } from "../../applications/schema.ts";
import { toLifetimes } from "../../policy/lifetimes.ts";
import { type Governed, toPolicy } from "../../policy/policy.ts";
import type { ShownResource } from "../../resources/resources.ts";
import { Hidden } from "../refusal.tsx";
import type { Texts } from "../texts.ts";
import type { SignedInVisit } from "../visit.tsx";

interface ScopesProps {
  readonly t: Texts;
  readonly scopes: readonly string[];
  /** The registered resources of the request. */
  readonly resources?: readonly ShownResource[];
}

/** The scopes in plain words. The user's identity comes first: every application gets it. */
export function toScopeWords({ t, scopes, resources = [] }: ScopesProps): string[] {
  const registered = resources.flatMap((resource) => {
    const asked = resource.scopes.filter(({ name }) => scopes.includes(name));
    if (asked.length === 0) return [resource.title];
    return asked.map(({ title }) => `${resource.title}: ${title}`);
  });
  const named = new Set(resources.flatMap((resource) => resource.scopes.map(({ name }) => name)));
  const further = scopes.filter((scope) => scope !== "openid" && !named.has(scope));
  return [...["openid", ...further].map((scope) => t.find(`scope.${scope}`) ?? scope), ...registered];
}

interface QuestionProps extends Omit<ScopesProps, "t"> {
  readonly visit: SignedInVisit;
  readonly state: FormState;
  readonly client: Pick<ClientRecord, "name" | "policy">;
  /** The page's path: its forms go below it. */
  readonly path: string;
  /** Hidden fields of the forms. */
  readonly fields: Readonly<Record<string, string>>;
  /** More information before the answer. */
  readonly children?: Child;
}

const DAY_MS = 86_400_000;

/** How long the application keeps its access. */
function toLifetimeText({ t, subject }: SignedInVisit, client: Governed, scopes: readonly string[]): string {
  const { rules = {} } = subject;
  const isOffline = scopes.includes("offline_access") && toPolicy(client, rules).offlineAccess;
  const { idleMs, absoluteMs } = toLifetimes(client, rules, isOffline);
  return t("consent.lasts", { idle: Math.round(idleMs / DAY_MS), days: Math.round(absoluteMs / DAY_MS) });
}

/** The question with its answers: "/answer" gets `answer` as "allow" or "deny", "/another" is for another account. */
export function Question({ visit, state, client, scopes, resources, path, fields, children }: QuestionProps) {
  const { t, subject, formToken } = visit;
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("consent.title", { application: client.name })}</h1>
        <p class="muted">
          {t("consent.lead", { name: subject.displayName, username: subject.user.username })}
        </p>
      </div>
      <FormFaults title={t("form.faults")} faults={state.faults} />
      <div class="card is-raised stack">
        <h2>{t("consent.permissions")}</h2>
        <ul class="points">
          {toScopeWords({ t, scopes, resources }).map((words) => (
            <li>{words}</li>
          ))}
        </ul>
        {children}
        <Form action={`${path}/answer`} token={formToken}>
          <Hidden fields={fields} />
          <button class="button primary wide" type="submit" name="answer" value="allow">
            {t("consent.allow")}
          </button>
          <button class="button wide" type="submit" name="answer" value="deny">
            {t("consent.deny")}
          </button>
        </Form>
      </div>
      <AnotherAccount visit={visit} path={path} fields={fields} />
      <p class="small muted">
        {toLifetimeText(visit, client, scopes)} {t("consent.revoke")}
      </p>
    </>
  );
}

/** The way to come with another account. */
export function AnotherAccount({
  visit: { t, formToken },
  path,
  fields,
}: Pick<QuestionProps, "visit" | "path" | "fields">) {
  return (
    <Form action={`${path}/another`} token={formToken}>
      <Hidden fields={fields} />
      <button class="button quiet wide" type="submit">
        {t("forward.another")}
      </button>
    </Form>
  );
}
