/** @jsxImportSource hono/jsx */
/** The other providers that a person can sign in by. */
import { withReturn } from "../../../html/return-path.ts";
import type { UpstreamRecord } from "../../upstream/schema.ts";
import type { Visit } from "../visit.tsx";

/** Where the way to a provider begins. */
export function toUpstreamPath(id: string, next: string | undefined): string {
  return withReturn(`/sign-in/with/${id}`, next);
}

/** A link for each, as buttons. */
export function UpstreamButtons({
  visit: { t },
  providers,
  next,
}: {
  readonly visit: Pick<Visit, "t">;
  readonly providers: readonly UpstreamRecord[];
  readonly next: string | undefined;
}) {
  return (
    <>
      {providers.map(({ id, title }) => (
        <a class="button wide" href={toUpstreamPath(id, next)}>
          {t("upstream.button", { provider: title })}
        </a>
      ))}
    </>
  );
}
