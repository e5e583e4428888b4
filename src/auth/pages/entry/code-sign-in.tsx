/** @jsxImportSource hono/jsx */
/** Signing in with a code from the mailbox, without a password. */
import type { Outbox } from "../../../records/outbox.ts";
import type { CodeSending } from "../../codes/code-sending.ts";
import type { SignIn } from "../../sign-in/sign-in.ts";
import type { BrowserSignIn } from "../browser-sign-in.ts";
import type { Steps } from "../next-step.ts";
import { type SentForm, parseForm } from "../../../html/sent-form.ts";
import type { FindDestination } from "../oidc/destination.tsx";
import { type PageRoutes, findNext, toEntry } from "../page.ts";
import type { Visit } from "../visit.tsx";
import { findMailbox, mailedCodeSchema, readSendTo, renderMailedCode } from "./mailed-code.tsx";

const PATH = "/sign-in/code";

interface Parts {
  readonly signIn: SignIn;
  readonly codeSending: CodeSending;
  readonly browserSignIn: BrowserSignIn;
  readonly steps: Steps;
  readonly outbox: Outbox;
  readonly findDestination: FindDestination;
}

export function addCodeSignInPage(pages: PageRoutes, parts: Parts): void {
  const { signIn, codeSending, browserSignIn, steps, outbox } = parts;
  /** Where the person wanted to go: kept by the browser while the mail is on its way. */
  const nextOf = (visit: Visit, form?: Pick<SentForm, "values">): string =>
    findNext(visit, form) ?? steps.read(visit.c, "mailbox")?.next ?? "/account";

  pages.addEntry({
    path: PATH,
    show: async (visit, state) => {
      const { c } = visit;
      const next = nextOf(visit, state);
      // A visitor who comes from the sign-in page starts over.
      const isNew = c.req.query("rd") !== undefined;
      const email = isNew ? "" : findMailbox(visit, state, steps);
      const back = toEntry("/sign-in", next);
      const destination = await parts.findDestination(visit, next);
      const links = { other: `${PATH}?email=`, back, isDelayed: outbox.isDelayed() };
      return renderMailedCode({ visit, state, path: PATH, email, next, destination, ...links });
    },
    actions: {
      "": {
        isOnce: true,
        submit: async (visit, form) => {
          const { c, caller } = visit;
          const { email, code } = parseForm(mailedCodeSchema, form);
          const step = steps.read(c, "mailbox");
          const challengeId = step?.email === email ? step.challengeId : undefined;
          const signedIn = await signIn.withCode({ email, code, challengeId, caller });
          return browserSignIn.complete(visit, signedIn, nextOf(visit, form));
        },
      },
      "/send": {
        fields: { email: "sendTo" },
        submit: async (visit, form) => {
          const { c, caller } = visit;
          const email = readSendTo(form);
          const isAgain = steps.read(c, "mailbox")?.email === email;
          const challengeId = await codeSending.send({ email, purpose: "login", caller });
          steps.write(c, { kind: "mailbox", email, challengeId, next: nextOf(visit, form) });
          return c.redirect(isAgain ? `${PATH}?done=codeSent` : PATH, 303);
        },
      },
    },
  });
}
