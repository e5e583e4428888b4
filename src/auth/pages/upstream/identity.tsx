/** @jsxImportSource hono/jsx */
/** A newcomer from a provider without an account: creates one, or verifies an existing one. */
import { z } from "zod";
import { Form, FormFaults } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { withReturn } from "../../../html/return-path.ts";
import { SignUpFields, signUpShape } from "../entry/sign-up-fields.tsx";
import { parseForm } from "../../../html/sent-form.ts";
import type { PageRoutes } from "../page.ts";
import type { Visit } from "../visit.tsx";
import {
  CODE_PATH,
  CONNECT_PATH,
  type ComerParts,
  type FoundComer,
  IDENTITY_PATH,
  createComerPages,
  describeComer,
} from "./comers.ts";
import type { Comer } from "./sealed-cookies.ts";

const newcomerSchema = z.object(signUpShape);

/** A username that the provider's words suggest; "" when nothing is left of them. */
function suggestUsername({ username, email, name }: Comer["identity"]): string {
  const said = username ?? email?.split("@")[0] ?? name ?? "";
  const plain = said
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9._-]/gu, "")
    .slice(0, 40);
  const first = plain.search(/[A-Za-z0-9]/u);
  if (first < 0) return "";
  let end = plain.length;
  while (/[._-]/u.test(plain.charAt(end - 1))) end -= 1;
  return plain.slice(first, end);
}

interface ComerProps extends FoundComer {
  readonly visit: Visit;
  readonly state: FormState;
}

function NewAccount({ visit, state, comer }: ComerProps) {
  const { t, formToken, settings } = visit;
  const { identity, draft } = comer;
  const chosen = draft?.newcomer;
  const values = {
    ...chosen,
    username: chosen?.username ?? suggestUsername(identity),
    displayName: chosen?.displayName ?? identity.name,
    email: chosen?.email ?? identity.email,
  };
  return (
    <Form action={IDENTITY_PATH} token={formToken} class="card is-raised stack" label={t("signUp.title")}>
      <h2>{t("signUp.title")}</h2>
      {settings.mode === "approval" ? <p class="muted">{t("signUp.approval")}</p> : <></>}
      <SignUpFields visit={visit} state={state} values={values} isNamed />
    </Form>
  );
}

function Comers(props: ComerProps) {
  const { visit, state, comer, provider } = props;
  const { t, settings, formToken } = visit;
  const { identity, holdsAccount } = comer;
  const isOpen = settings.mode !== "closed" && provider.registration !== "off" && !holdsAccount;
  const values = { provider: provider.title, who: describeComer(identity) };
  const lead = values.who === "" ? t("upstream.newLeadUnknown", values) : t("upstream.newLead", values);
  return (
    <>
      <div class="stack is-tight">
        <h1>{t("upstream.newTitle", values)}</h1>
        <p class="muted">{lead}</p>
      </div>
      <FormFaults title={t("form.faults")} faults={state.faults} />
      {isOpen ? <NewAccount {...props} /> : <></>}
      <section class={isOpen ? "stack" : "card is-raised stack"}>
        <h2>{t(holdsAccount ? "upstream.holdsTitle" : "upstream.haveTitle")}</h2>
        <p class="muted">
          {holdsAccount
            ? t("upstream.holds", { ...values, email: identity.email ?? "" })
            : t("upstream.have", values)}
        </p>
        <a class={`button wide${isOpen ? "" : " primary"}`} href={withReturn("/sign-in", CONNECT_PATH)}>
          {t("upstream.signInToLink")}
        </a>
        {isOpen || holdsAccount ? <></> : <p class="small muted">{t("signUp.closed")}</p>}
      </section>
      <Form action={`${IDENTITY_PATH}/cancel`} token={formToken}>
        <button class="button wide quiet" type="submit">
          {t("upstream.cancel")}
        </button>
      </Form>
    </>
  );
}

export function addIdentityPage(pages: PageRoutes, parts: ComerParts): void {
  const { newcomers } = parts;
  const cookie = parts.upstreamCookies.comer;
  const { find, complete } = createComerPages(parts);

  pages.addPublic({
    path: IDENTITY_PATH,
    show: async (visit, state) => {
      const found = await find(visit);
      if (found instanceof Response) return found;
      return visit.render({
        title: visit.t("upstream.newTitle", { provider: found.provider.title }),
        narrow: true,
        status: state.status,
        body: <Comers visit={visit} state={state} {...found} />,
      });
    },
    actions: {
      "": {
        isOnce: true,
        submit: async (visit, form) => {
          const found = await find(visit);
          if (found instanceof Response) return found;
          const { terms, ...chosen } = parseForm(newcomerSchema, form);
          const termsVersion = terms === undefined ? undefined : visit.settings.termsVersion;
          const newcomer = { ...chosen, termsVersion };
          const { comer } = found;
          const { identity, next } = comer;
          const joined = await newcomers.join({ identity, newcomer, caller: visit.caller });
          if (joined.kind !== "code_sent") return complete(visit, joined, next);
          cookie.write(visit.c, { ...comer, draft: { newcomer, challengeId: joined.challengeId } });
          return visit.c.redirect(CODE_PATH, 303);
        },
      },
      "/cancel": {
        submit: async ({ c }) => {
          cookie.clear(c);
          return c.redirect("/sign-in", 303);
        },
      },
    },
  });
}
