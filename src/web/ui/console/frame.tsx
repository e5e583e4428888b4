/** The frame of a console: which sections there are, the way out, and news of the connection. */
import type { ComponentChildren, ComponentType, JSX } from "preact";
import { useEffect, useErrorBoundary, useRef, useState } from "preact/hooks";
import { type TextName, text } from "../../app/texts.ts";
import { Button } from "../controls.tsx";
import { Empty } from "../empty.tsx";
import { type IconName, Icon } from "../icons.tsx";
import { showProblem } from "./problem.tsx";
import { askAgain, mayUse, reachable, signOut } from "./session.ts";

/** Delay before an unreachable service is tried again, in milliseconds. */
const RETRY_MS = 5_000;

/** A section of a console, at /admin/{name}. */
export interface Section {
  readonly name: string;
  readonly label: TextName;
  readonly icon?: IconName;
  /** Scope that it needs, such as "orders:read". */
  readonly scope: string;
  /** Next to the label, such as the number of waiting items. */
  readonly Mark?: ComponentType;
  /** The section's page; `id` is what follows its name in the address. */
  readonly page: (id: string | undefined) => JSX.Element;
}

function SignOutButton(): JSX.Element {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      kind="quiet"
      icon="out"
      disabled={busy}
      onClick={() => {
        setBusy(true);
        void signOut()
          .catch(showProblem)
          .finally(() => setBusy(false));
      }}
    >
      {text("header.leave")}
    </Button>
  );
}

function Navigation({ sections, present }: { sections: readonly Section[]; present: string }): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a phone, the sections are in a scrolling row.
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [present]);
  return (
    <nav class="admin-nav" aria-label={text("admin.nav.label")}>
      <ul ref={list}>
        {sections.map(({ name, label, icon, Mark }) => (
          <li key={name}>
            <a href={`/admin/${name}`} aria-current={name === present ? "page" : undefined}>
              {icon && <Icon name={icon} />}
              {text(label)}
              {Mark && <Mark />}
            </a>
          </li>
        ))}
      </ul>
      <SignOutButton />
    </nav>
  );
}

function ReachableNote(): JSX.Element | null {
  useEffect(() => {
    if (reachable.value) return undefined;
    // Not every section asks by itself.
    const timer = setInterval(() => void askAgain(), RETRY_MS);
    return () => clearInterval(timer);
  }, [reachable.value]);
  // The live region exists before it has a message; otherwise screen readers would skip it.
  return (
    <div role="status">
      {!reachable.value && (
        <div class="admin-note is-warn">
          <Icon name="alert" />
          <span>{text("admin.unreachable")}</span>
        </div>
      )}
    </div>
  );
}

/** A section, or in its place what happened and a way on: its script is gone when the service was updated since. */
function Guarded({ children }: { children: ComponentChildren }): JSX.Element {
  const boundary: readonly [unknown, () => void] = useErrorBoundary((thrown: unknown) => reportError(thrown));
  const [error] = boundary;
  if (error === undefined) return <>{children}</>;
  return (
    <Empty icon="alert" title={text("admin.broken")} hint={text("admin.broken.hint")}>
      <Button kind="primary" icon="refresh" onClick={() => location.reload()}>
        {text("admin.reload")}
      </Button>
    </Empty>
  );
}

/** There is no such section, or the person's roles do not open it. */
function NotFound({ isClosed }: { isClosed: boolean }): JSX.Element {
  if (!isClosed) return <p class="empty">{text("page.unknown")}</p>;
  return <Empty icon="lock" title={text("admin.closed")} hint={text("admin.closed.hint")} />;
}

/** The console of a signed-in user; without a section in the URL, the first one. */
export function ConsoleFrame(props: {
  sections: readonly Section[];
  section: string | undefined;
  id: string | undefined;
}): JSX.Element {
  const { id } = props;
  const sections = props.sections.filter(({ scope }) => mayUse(scope));
  const { section = sections[0]?.name ?? "" } = props;
  const found = sections.find(({ name }) => name === section);
  return (
    <div class="admin">
      <Navigation sections={sections} present={section} />
      <div class={reachable.value ? "admin-content" : "admin-content is-out-of-date"}>
        <ReachableNote />
        <Guarded key={`${section} ${id ?? ""}`}>
          {found === undefined ? (
            <NotFound isClosed={props.sections.some(({ name }) => name === section)} />
          ) : (
            found.page(id)
          )}
        </Guarded>
      </div>
    </div>
  );
}
