/** @jsxImportSource hono/jsx */
/** That there is nothing, and where there is something. */
import type { Child } from "hono/jsx";
import type { Visit } from "../visit.tsx";

/** The text with a link to all products; `children` go in between. */
export function Nothing({
  visit: { t },
  text,
  children,
}: {
  readonly visit: Pick<Visit, "t">;
  readonly text: string;
  readonly children?: Child;
}) {
  return (
    <div class="stack nothing">
      <p>{text}</p>
      {children ?? <></>}
      <p>
        <a class="button" href="/">
          {t("list.allProducts")}
        </a>
      </p>
    </div>
  );
}
