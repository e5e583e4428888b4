/** Signing in with the administrator token, at first and when a session has ended. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../app/api.ts";
import { toSpan } from "../app/format.ts";
import { text } from "../app/texts.ts";
import { Button, Field } from "../ui/controls.tsx";
import { Dialog } from "../ui/controls-dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { toMessage } from "./problem.tsx";
import { signIn } from "./session.ts";

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

function TokenField(props: {
  token: string;
  refusal: string | undefined;
  onInput: (token: string) => void;
}): JSX.Element {
  const { token, refusal, onInput } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [refusal]);
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
          maxLength={512}
          value={token}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** The form that stands where the administration will be. */
export function SignIn(): JSX.Element {
  const { token, setToken, busy, refusal, submit } = useSignIn();
  return (
    <form
      class="sign-in admin-panel"
      aria-labelledby="sign-in-title"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Icon name="key" class="sign-in-icon" />
      <h1 id="sign-in-title">{text("admin.signin.title")}</h1>
      {/* Password managers want a name beside the password. */}
      <input type="text" name="username" autoComplete="username" value="administrator" hidden readOnly />
      <TokenField token={token} refusal={refusal} onInput={setToken} />
      <Button kind="primary" type="submit" disabled={busy}>
        {text(busy ? "admin.signin.busy" : "admin.signin.submit")}
      </Button>
      <p class="field-hint">{text("admin.signin.stay")}</p>
    </form>
  );
}

/** Asks for the token above a page whose session has ended; what was typed there stays. */
export function SignInAgain({ onLeave }: { onLeave: () => void }): JSX.Element {
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
      <TokenField token={token} refusal={refusal} onInput={setToken} />
    </Dialog>
  );
}
