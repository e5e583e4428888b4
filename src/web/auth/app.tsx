/** The console of accounts: its sections in the page of a console, and the proof that some of them want. */
import type { JSX } from "preact";
import { ConsolePage } from "../ui/console-page/console-page.tsx";
import { ProofDialog } from "./proof-dialog.tsx";
import { sections } from "./sections.tsx";

/** The page. */
export function AccountsApp(): JSX.Element {
  return (
    <ConsolePage service="auth" title="auth.frame.title" sections={sections}>
      <ProofDialog />
    </ConsolePage>
  );
}
