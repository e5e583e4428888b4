/** The page of a console that a service serves apart from its other pages: header, signing in, sections. */
import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { basePath, toOwnPath } from "../../app/path.ts";
import { route } from "../../app/route.ts";
import { type TextName, text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import { Toasts } from "../controls-toast.tsx";
import { Console } from "../console/console.tsx";
import type { ConsoleAddress } from "../console/consoles.ts";
import type { Section } from "../console/frame.tsx";
import { BrandMark, ConsoleSwitch, LanguageChoice, ThemeChoice } from "./header-parts.tsx";
import { showProblem } from "../console/problem.tsx";
import { type Session, session, signOut } from "../console/session.ts";
import type { AccountLink } from "../console/sign-in.tsx";
import { Icon } from "../icons.tsx";

const siteName = document.title;
const logo = document.querySelector<HTMLLinkElement>("link[data-logo]")?.href;
const languages = document.querySelector<HTMLMetaElement>('meta[name="languages"]')?.content.split(" ") ?? [];

/** The section and the record that the address names. */
function findPlace(sections: readonly Section[]) {
  const present = route.value;
  const { section, id } = present.page === "admin" ? present : { section: "", id: undefined };
  return { section, id, found: sections.find(({ name }) => name === (section ?? sections[0]?.name)) };
}

function Header({ service }: Pick<ConsolePageProps, "service">): JSX.Element {
  return (
    <header class="header">
      <a class="brand" href="/admin">
        {logo === undefined ? <BrandMark /> : <img class="brand-logo" src={logo} alt="" />}
        <span class="brand-name">{siteName}</span>
      </a>
      <ConsoleSwitch present={service} />
      <nav class="header-tools" aria-label={text("header.tools")}>
        <LanguageChoice languages={languages} />
        <ThemeChoice />
      </nav>
    </header>
  );
}

const refusals = {
  role: "admin.refused.role",
  second_factor: "admin.refused.factor",
  second_factor_missing: "admin.refused.factorMissing",
} as const satisfies Record<string, TextName>;

function Refused(): JSX.Element | null {
  const present = session.value;
  if (present.kind !== "refused") return null;
  const { name, reason, accountUrl } = present;
  const lacksFactor = reason !== "role" && accountUrl !== undefined;
  // Returns to this console if it is on the same host as the account.
  const back = accountUrl === "" ? "&rd=%2Fadmin" : "";
  return (
    <section class="sign-in admin-panel" aria-labelledby="refused-title">
      <h1 id="refused-title">{text("admin.refused.title")}</h1>
      <p>{text(refusals[reason], { name })}</p>
      {lacksFactor && (
        <a class="button primary" href={`${accountUrl}/account/confirm?need=two-factor${back}`}>
          {text(reason === "second_factor" ? "admin.refused.use" : "admin.refused.setUp")}
        </a>
      )}
      <Button kind={lacksFactor ? "plain" : "primary"} onClick={() => void signOut().catch(showProblem)}>
        {text("admin.refused.other")}
      </Button>
      {accountUrl !== undefined && (
        <a class="button quiet" href={`${accountUrl}/account`}>
          {text("admin.refused.account")}
        </a>
      )}
    </section>
  );
}

/** Said where an account would do, but the auth center does not answer. */
function Away(): JSX.Element | null {
  const present = session.value;
  if (present.kind !== "out" || present.signIn !== "away") return null;
  return (
    <div class="admin-note is-warn" role="status">
      <Icon name="alert" />
      <span>{text("admin.signin.away")}</span>
    </div>
  );
}

/** The sign-in link with an account; for a token session it asks for the token again. */
function useAccountLink(present: Session): AccountLink | undefined {
  const isByToken = useRef(false);
  if (present.kind === "in") isByToken.current = present.info.name === "";
  const isReady = present.kind === "out" ? (present.signIn ?? "ready") === "ready" : !isByToken.current;
  const here = toOwnPath(location.pathname) + location.search;
  return isReady ? { href: `/sign-in?rd=${encodeURIComponent(here)}` } : undefined;
}

export interface ConsolePageProps {
  readonly service: ConsoleAddress["service"];
  /** Middle part of the document title, between the section and the site. */
  readonly title: TextName;
  readonly sections: readonly Section[];
  /** Shown above every section. */
  readonly banner?: ComponentChildren;
  /** Dialogs that any section may ask for. */
  readonly children?: ComponentChildren;
}

/** The page. */
export function ConsolePage({ service, title, sections, banner, children }: ConsolePageProps): JSX.Element {
  const present = session.value;
  const account = useAccountLink(present);
  useSignalEffect(() => {
    const { found } = findPlace(sections);
    const words = session.value.kind === "in" && found ? [text(found.label)] : [];
    document.title = [...words, text(title), siteName].join(" · ");
  });
  const { section, id } = findPlace(sections);
  return (
    <div class="frame is-admin">
      <a class="skip" href="#main">
        {text("page.skip")}
      </a>
      <Header service={service} />
      <main id="main" tabIndex={-1}>
        {(present.kind === "in" || present.kind === "ended") && banner}
        <Console
          sections={sections}
          section={section}
          id={id}
          account={account}
          ways={<Away />}
          refused={<Refused />}
          onLeave={() => location.assign(`${basePath}/admin`)}
        />
      </main>
      {children}
      <Toasts />
    </div>
  );
}
