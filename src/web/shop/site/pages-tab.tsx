/** Legal pages: which there are, which a shop should have, and the way to each. */
import type { JSX } from "preact";
import { pageSchema } from "../../../shop/legal/schema.ts";
import type { AdminSite } from "../../../shop/settings/answer-schema.ts";
import { useState } from "preact/hooks";
import { type TextName, text, withHint } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { toFields } from "../../ui/resource/field-source.ts";
import { useQuery } from "../../ui/console/query.ts";
import { toLanguageName } from "../ui/translations-field.tsx";
import { PageEditor } from "./page-editor.tsx";
import { isUsual, toPageName, usual } from "./page-names.ts";
import type { SiteTab } from "./site-data.ts";

type PageView = AdminSite["pages"][number];

interface Row {
  readonly slug: string;
  readonly page: PageView | undefined;
}

function toColumns(languages: readonly string[]): readonly TableColumn<Row>[] {
  return [
    {
      key: "page",
      label: text("shop.site.page"),
      cell: ({ slug, page }) => (
        <>
          <a class="row-name" href={`/admin/site?tab=pages&page=${slug}`}>
            {page?.title ?? toPageName(slug)}
          </a>
          <br />
          <span class="field-hint">
            {page === undefined && isUsual(slug) ? (
              text(`shop.site.page.${slug}.hint`)
            ) : (
              <code>/legal/{slug}</code>
            )}
          </span>
        </>
      ),
    },
    {
      key: "state",
      label: text("shop.site.page.state"),
      cell: ({ page }) => {
        if (page === undefined) return <Badge kind="warn">{text("shop.site.page.missing")}</Badge>;
        const spoken = [languages[0] ?? "", ...Object.keys(page.translations ?? {})];
        return spoken.map(toLanguageName).join(", ");
      },
    },
    {
      key: "changed",
      label: text("shop.site.page.changed"),
      cell: ({ page }) => (page?.changedAt === undefined ? "–" : <Moment at={page.changedAt} />),
    },
  ];
}

function AddPage({ taken, onClose }: { taken: readonly string[]; onClose: () => void }): JSX.Element {
  const [slug, setSlug] = useState("");
  const query = useQuery();
  const task = useTask();
  const words: TextName | undefined = taken.includes(slug) ? "shop.site.page.taken" : undefined;
  function open(): void {
    if (words !== undefined || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(slug))
      task.refuse(new Map([["/slug", text(words ?? "shop.site.page.slug.fault")]]));
    else query.set({ page: slug }, { push: true });
  }
  return (
    <FormDialog
      title={text("shop.site.page.add")}
      action={text("shop.site.page.write")}
      task={task}
      pointers={["/slug"]}
      onSubmit={open}
      onClose={onClose}
    >
      <TextField
        {...withHint("shop.site.page.slug")}
        value={slug}
        error={task.errors.get("/slug")}
        autoComplete="off"
        maxLength={toFields(pageSchema)["slug"]?.max}
        onInput={setSlug}
      />
    </FormDialog>
  );
}

/** The tab, or the page of the address. */
export function PagesTab({ stored, onSaved }: SiteTab): JSX.Element {
  const query = useQuery();
  const [isAdding, setAdding] = useState(false);
  const slug = query.get("page");
  if (slug !== "") return <PageEditor stored={stored} slug={slug} onSaved={onSaved} key={slug} />;
  const { pages, languages } = stored;
  const rows: Row[] = [
    ...usual.map((one) => ({ slug: one, page: pages.find((page) => page.slug === one) })),
    ...pages.filter((page) => !isUsual(page.slug)).map((page) => ({ slug: page.slug, page })),
  ];
  return (
    <div class="stack">
      <div class="panel-head">
        <p class="field-hint">{text("shop.site.pages.hint")}</p>
        <Button icon="plus" onClick={() => setAdding(true)}>
          {text("shop.site.page.add")}
        </Button>
      </div>
      <div class="settings-table">
        <Table
          caption={text("shop.site.pages")}
          columns={toColumns(languages)}
          rows={rows}
          keyOf={(row) => row.slug}
        />
      </div>
      {isAdding && <AddPage taken={rows.map((row) => row.slug)} onClose={() => setAdding(false)} />}
    </div>
  );
}
