/** @jsxImportSource hono/jsx */
/** The page of a person whose proxy's file is wrong. */
import type { Context } from "hono";
import type { AppEnv } from "../../../kit/http/app.ts";
import type { AppError } from "../../../kit/errors.ts";
import type { Visits } from "../visit.tsx";
import { OWN_PATH } from "./asked.ts";
import { findOrigin } from "./opening.ts";

/** Says whom to notify, and leads administrators to the reason, which is only for programs and the console. */
export async function showFaultyProxy(
  c: Context<AppEnv>,
  { kind, details }: AppError,
  { visits, issuer }: { readonly visits: Visits; readonly issuer: string },
): Promise<Response> {
  const { t, render } = await visits.openPlain(c);
  const { application } = details;
  const page = typeof application === "string" ? `/${application}` : "";
  c.header("cache-control", "no-store");
  return render({
    title: t("setup.titleUnknown"),
    narrow: true,
    status: kind.http === 404 ? 404 : 400,
    host: { origin: findOrigin(c) ?? issuer, files: OWN_PATH },
    body: (
      <>
        <div class="stack is-tight">
          <h1>{t("setup.titleUnknown")}</h1>
          <p class="muted">{t("setup.text", { reference: c.get("requestId") })}</p>
        </div>
        <p class="small">
          <a href={`${issuer}/admin/applications${page}`}>{t("setup.signIn")}</a>
        </p>
      </>
    ),
  });
}
