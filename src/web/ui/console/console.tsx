/** A console as a whole: asking who is there, signing in, and then its frame. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { ConsoleFrame, type Section } from "./frame.tsx";
import { ErrorNote } from "./problem.tsx";
import { checkSession, proofAsked, proofPath, session } from "./session.ts";
import { type AccountLink, ProveAgain, SignIn, SignInAgain } from "./sign-in.tsx";

/** Delay before an unreachable service is tried again, in milliseconds. */
const RETRY_MS = 5_000;

function Asking({ unreachable }: { unreachable: boolean }): JSX.Element {
  useEffect(() => {
    void checkSession();
    const timer = setInterval(() => void checkSession(), RETRY_MS);
    return () => clearInterval(timer);
  }, []);
  if (!unreachable) return <p class="empty">{text("page.loading")}</p>;
  return <ErrorNote message={text("admin.error.offline")} onRetry={() => void checkSession()} />;
}

export interface ConsoleProps {
  readonly sections: readonly Section[];
  readonly section: string | undefined;
  readonly id: string | undefined;
  /** The page on which one signs in with an account, where there is one; "asking" until that is known. */
  readonly account?: AccountLink | "asking" | undefined;
  /** Other ways to sign in, beside the account and the token. */
  readonly ways?: ComponentChildren;
  /** Shown to a signed-in user without administrator rights. */
  readonly refused?: ComponentChildren;
  /** Called when somebody does not sign in again. */
  readonly onLeave: () => void;
}

/** The console. */
export function Console(props: ConsoleProps): JSX.Element {
  const { sections, section, id, account, ways, refused, onLeave } = props;
  const present = session.value;
  if (present.kind === "asking") return <Asking unreachable={present.unreachable} />;
  if (present.kind === "refused") return <>{refused}</>;
  if (present.kind === "out") {
    if (account === "asking") return <p class="empty">{text("page.loading")}</p>;
    return <SignIn account={account}>{ways}</SignIn>;
  }
  return (
    <>
      <ConsoleFrame sections={sections} section={section} id={id} />
      {present.kind === "in" && proofAsked.value && proofPath.value !== undefined && (
        <ProveAgain path={`${proofPath.value}&rd=%2Fadmin`} />
      )}
      {present.kind === "ended" && (
        <SignInAgain account={account === "asking" ? undefined : account} onLeave={onLeave} />
      )}
    </>
  );
}
