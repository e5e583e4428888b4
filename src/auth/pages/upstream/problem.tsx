/** @jsxImportSource hono/jsx */
/** Why a sign-in through a provider failed, in plain words, with the alternatives. */
import { withReturn } from "../../../html/return-path.ts";
import type { FormStatus } from "../../../html/form-pages.ts";
import type { TextKey } from "../texts.ts";
import type { Visit } from "../visit.tsx";
import type { FlowFault } from "../../upstream/flows.ts";
import { toUpstreamPath } from "../entry/upstream-buttons.tsx";

const words = {
  expired: ["upstream.expiredTitle", "upstream.expired", 400],
  denied: ["upstream.deniedTitle", "upstream.denied", 403],
  away: ["upstream.unavailableTitle", "upstream.unavailable", 503],
  refused: ["upstream.failedTitle", "upstream.failed", 400],
} as const satisfies Readonly<Record<FlowFault, readonly [TextKey, TextKey, FormStatus]>>;

interface ProblemProps {
  /** Its id and name. */
  readonly provider: { readonly id: string; readonly title: string };
  readonly next: string;
  /** A signed-in user wanted to link it. */
  readonly isLink: boolean;
}

/** The page of a sign-in by a provider that came to nothing. */
export function renderProblem(
  visit: Visit,
  { provider, next, isLink }: ProblemProps,
  problem: { readonly title: string; readonly text: string; readonly status: FormStatus },
): Response {
  const { t } = visit;
  return visit.render({
    title: problem.title,
    narrow: true,
    status: problem.status,
    body: (
      <>
        <div class="stack is-tight">
          <h1>{problem.title}</h1>
          <p>{problem.text}</p>
        </div>
        {isLink ? (
          <a class="button primary wide" href="/account/security">
            {t("upstream.backToSecurity")}
          </a>
        ) : (
          <>
            <a class="button primary wide" href={toUpstreamPath(provider.id, next)}>
              {t("upstream.again", { provider: provider.title })}
            </a>
            <a class="button wide" href={withReturn("/sign-in", next)}>
              {t("upstream.otherWay")}
            </a>
          </>
        )}
      </>
    ),
  });
}

/** The same for what went wrong on the way. */
export function renderFlowFault(visit: Visit, props: ProblemProps, fault: FlowFault): Response {
  const [title, text, status] = words[fault];
  const values = { provider: props.provider.title };
  return renderProblem(visit, props, {
    title: visit.t(title, values),
    text: visit.t(text, values),
    status,
  });
}
