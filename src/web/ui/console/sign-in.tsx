/** Signing in with an account or the administrator token, at first and when a session has ended. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { describeSchema } from "../../../kit/fields/describe.ts";
import { tokenSignInSchema } from "../../../kit/secrets/token-schema.ts";
import { ApiError } from "../../app/api.ts";
import { toSpan } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Button, Field } from "../controls.tsx";
import { Dialog } from "../controls-dialog.tsx";
import { Icon } from "../icons.tsx";
import { toMessage } from "../forms/fault-words.ts";
import { checkSession, endProof, signIn } from "./session.ts";

function toRefusal(error: unknown): string {
  if (error instanceof ApiError && error.status === 401) return text("admin.signin.wrong");
  if (error instanceof ApiError && error.status === 429)
    return text("admin.signin.locked", { wait: toSpan(1_000 * (error.retryAfterSeconds ?? 900)) });
  return toMessage(error);
}

function useSignIn(): {
  token: string;
  setToken: (token: string) => void;
  busy: boolean;
  refusal: string | undefined;
  submit: () => Promise<boolean>;
} {
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>();
  async function submit(): Promise<boolean> {
    const typed = token.trim();
    if (typed === "") {
      setRefusal(text("admin.signin.empty"));
      return false;
    }
    setBusy(true);
    setRefusal(undefined);
    try {
      await signIn(typed);
      return true;
    } catch (error) {
      setRefusal(toRefusal(error));
      setBusy(false);
      return false;
    }
  }
  return { token, setToken, busy, refusal, submit };
}

/** The page on which one signs in with an account. */
export interface AccountLink {
  readonly href: string;
  /** Called on the way there. */
  readonly onGo?: () => void;
  /** Why somebody came back from there without getting in. */
  readonly note?: ComponentChildren;
}

function TokenField(props: {
  token: string;
  refusal: string | undefined;
  /** Whether it has the focus at first too. */
  isFirst: boolean;
  onInput: (token: string) => void;
}): JSX.Element {
  const { token, refusal, isFirst, onInput } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst || refusal !== undefined) input.current?.focus();
  }, [refusal]);
  return (
    <Field label={text("admin.signin.token")} hint={text("admin.signin.hint")} error={refusal}>
      {(links) => (
        <input
          {...links}
          ref={input}
          type="password"
          name="token"
          autoComplete="current-password"
          spellcheck={false}
          maxLength={describeSchema(tokenSignInSchema).token.max}
          value={token}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function TokenForm({ isFirst }: { isFirst: boolean }): JSX.Element {
  const { token, setToken, busy, refusal, submit } = useSignIn();
  return (
    <form
      class="stack-small"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {/* Password managers want a name beside the password. */}
      <input type="text" name="username" autoComplete="username" value="administrator" hidden readOnly />
      <TokenField token={token} refusal={refusal} isFirst={isFirst} onInput={setToken} />
      <Button kind={isFirst ? "primary" : "plain"} type="submit" disabled={busy}>
        {text(busy ? "admin.signin.busy" : "admin.signin.submit")}
      </Button>
      <p class="field-hint">{text("admin.signin.stay")}</p>
    </form>
  );
}

/** Shown in place of the console; `children` are further sign-in methods with an account. */
export function SignIn(props: {
  account?: AccountLink | undefined;
  children?: ComponentChildren;
}): JSX.Element {
  const { account, children } = props;
  return (
    <>
      <section class="sign-in admin-panel" aria-labelledby="sign-in-title">
        <Icon name="key" class="sign-in-icon" />
        <h1 id="sign-in-title">{text("admin.signin.title")}</h1>
        {account !== undefined && (
          <>
            {account.note}
            <a class="button primary" href={account.href} onClick={account.onGo}>
              {text("admin.signin.account")}
            </a>
            <p class="sign-in-or">{text("admin.signin.orToken")}</p>
          </>
        )}
        <TokenForm isFirst={account === undefined} />
      </section>
      {children}
    </>
  );
}

/** Calls it when somebody comes back from another tab. */
function useReturn(onReturn: () => void): void {
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === "visible") onReturn();
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
}

/** Asks for a fresh proof of who the person is, in a tab of its own: what was typed here stays, and is sent on coming back. */
export function ProveAgain({ path }: { path: string }): JSX.Element {
  useReturn(() => endProof(true));
  return (
    <Dialog
      title={text("admin.proof.title")}
      onClose={() => endProof(false)}
      actions={
        <>
          <Button onClick={() => endProof(false)}>{text("control.cancel")}</Button>
          <Button kind="primary" onClick={() => endProof(true)}>
            {text("admin.proof.done")}
          </Button>
        </>
      }
    >
      <p>{text("admin.proof.text")}</p>
      <a class="button" href={path} target="_blank" rel="noopener">
        {text("admin.proof.page")}
      </a>
    </Dialog>
  );
}

/** Sign-in with an account from a form with input: in a new tab, whose result is checked on return. */
function AccountAgain({ href, onGo }: AccountLink): JSX.Element {
  useReturn(() => void checkSession());
  return (
    <a class="button" href={href} onClick={onGo} target="_blank" rel="noopener">
      {text("admin.signin.newTab")}
    </a>
  );
}

/** Asks to sign in above a page whose session has ended; what was typed there stays. */
export function SignInAgain(props: { account?: AccountLink | undefined; onLeave: () => void }): JSX.Element {
  const { account, onLeave } = props;
  const { token, setToken, busy, refusal, submit } = useSignIn();
  return (
    <Dialog
      title={text("admin.signin.again")}
      onClose={onLeave}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onLeave}>{text("admin.signin.leave")}</Button>
          <Button kind="primary" type="submit" disabled={busy}>
            {text(busy ? "admin.signin.busy" : "admin.signin.submit")}
          </Button>
        </>
      }
    >
      <p>{text("admin.signin.ended")}</p>
      {account !== undefined && (
        <>
          <AccountAgain {...account} />
          <p class="sign-in-or">{text("admin.signin.orToken")}</p>
        </>
      )}
      <TokenField token={token} refusal={refusal} isFirst={account === undefined} onInput={setToken} />
    </Dialog>
  );
}
