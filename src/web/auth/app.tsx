/** The console of accounts: its header, signing in, and its sections. */
import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { basePath, toOwnPath } from "../app/path.ts";
import { route } from "../app/route.ts";
import { text } from "../app/texts.ts";
import { Button } from "../ui/controls.tsx";
import { Toasts } from "../ui/controls-toast.tsx";
import { Console } from "../ui/console/console.tsx";
import { showProblem } from "../ui/console/problem.tsx";
import { session, signOut } from "../ui/console/session.ts";
import { BrandMark, ConsoleSwitch, LanguageChoice, ThemeChoice } from "../ui/console/header-parts.tsx";
import { ProofDialog } from "./proof-dialog.tsx";
import { sections } from "./sections.tsx";

const siteName = document.title;
const logo = document.querySelector<HTMLLinkElement>("link[data-logo]")?.href;
const languages = document.querySelector<HTMLMetaElement>('meta[name="languages"]')?.content.split(" ") ?? [];

function findSection() {
  const present = route.value;
  const { section, id } = present.page === "admin" ? present : { section: "", id: undefined };
  return { section, id, found: sections.find(({ name }) => name === (section ?? sections[0]?.name)) };
}

function showTitle(): void {
  const { found } = findSection();
  const words = session.value.kind === "in" && found ? [text(found.label)] : [];
  document.title = [...words, text("auth.frame.title"), siteName].join(" · ");
}

function Header(): JSX.Element {
  return (
    <header class="header">
      <a class="brand" href="/admin">
        {logo === undefined ? <BrandMark /> : <img class="brand-logo" src={logo} alt="" />}
        <span class="brand-name">{siteName}</span>
      </a>
      <ConsoleSwitch present="auth" />
      <nav class="header-tools" aria-label={text("header.tools")}>
        <LanguageChoice languages={languages} />
        <ThemeChoice />
      </nav>
    </header>
  );
}

function Refused(): JSX.Element | null {
  const present = session.value;
  if (present.kind !== "refused") return null;
  const { name, reason } = present;
  const words = {
    role: "auth.refused.role",
    second_factor: "auth.refused.factor",
    second_factor_missing: "auth.refused.factorMissing",
  } as const;
  const lacksFactor = reason === "second_factor_missing";
  return (
    <section class="sign-in admin-panel" aria-labelledby="refused-title">
      <h1 id="refused-title">{text("auth.refused.title")}</h1>
      <p>{text(words[reason], { name })}</p>
      {lacksFactor && (
        <a class="button primary" href="/account/security/second-factor">
          {text("auth.refused.setUp")}
        </a>
      )}
      <Button kind={lacksFactor ? "plain" : "primary"} onClick={() => void signOut().catch(showProblem)}>
        {text("auth.refused.other")}
      </Button>
      <a class="button quiet" href="/account">
        {text("auth.refused.account")}
      </a>
    </section>
  );
}

/** The page. */
export function AccountsApp(): JSX.Element {
  useSignalEffect(showTitle);
  const { section, id } = findSection();
  return (
    <div class="frame is-admin">
      <a class="skip" href="#main">
        {text("page.skip")}
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        <Console
          sections={sections}
          section={section}
          id={id}
          account={{
            href: `/sign-in?rd=${encodeURIComponent(toOwnPath(location.pathname) + location.search)}`,
          }}
          refused={<Refused />}
          onLeave={() => location.assign(`${basePath}/admin`)}
        />
      </main>
      <ProofDialog />
      <Toasts />
    </div>
  );
}
