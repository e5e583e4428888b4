/** Administration: signing in, and then its sections. The entry of its own part of the script. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { navigate } from "../app/route.ts";
import { text } from "../app/texts.ts";
import { AdminFrame } from "../admin/frame.tsx";
import { ErrorNote } from "../admin/problem.tsx";
import { checkSession, session } from "../admin/session.ts";
import { SignIn, SignInAgain } from "../admin/sign-in.tsx";

/** How long to wait before an unreachable monitor is asked again, in milliseconds. */
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

/** The section of that name. */
export function AdminPage({ section, id }: { section: string; id: string | undefined }): JSX.Element {
  const present = session.value;
  if (present.kind === "asking") return <Asking unreachable={present.unreachable} />;
  if (present.kind === "out") return <SignIn />;
  return (
    <>
      <AdminFrame section={section} id={id} />
      {present.kind === "ended" && <SignInAgain onLeave={() => navigate("/")} />}
    </>
  );
}
