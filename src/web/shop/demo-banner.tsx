/** Warning on every page that the demo payment is enabled, which delivers goods without payment. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ConsoleSessionView } from "../../shop/console/schema.ts";
import { route } from "../app/route.ts";
import { text } from "../app/texts.ts";
import { checkSession, session } from "../ui/console/session.ts";
import { Icon } from "../ui/icons.tsx";

type SignedInView = Extract<ConsoleSessionView, { status: "signed_in" }>;

/** The banner; nothing while the demo payment is off. */
export function DemoBanner(): JSX.Element | null {
  const present = session.value;
  const here = route.value;
  useEffect(() => {
    // It may have been switched on or off on the page that is left.
    void checkSession();
  }, [here]);
  // What shopAccess put there.
  if (present.kind !== "in" || !(present.info as SignedInView).demoPayment) return null;
  return (
    <p class="console-banner">
      <Icon name="info" />
      <span>
        {text("shop.frame.demo")} <a href="/admin/providers">{text("shop.frame.demoOff")}</a>
      </span>
    </p>
  );
}
