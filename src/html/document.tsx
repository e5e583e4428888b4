/** @jsxImportSource hono/jsx */
/** The frame of a page: head, header with navigation, and footer with languages. */
import type { Child } from "hono/jsx";
import { toDirection } from "../kit/text/direction.ts";
import { type Language, languageNames, languages as all } from "../kit/text/languages.ts";
import { toHead } from "./render.ts";
import { toSentPageTags } from "./sent-page.ts";

export interface NavigationItem {
  readonly path: string;
  readonly label: string;
  /** For a script that does more with it: attributes "data-…". */
  readonly data?: Readonly<Record<`data-${string}`, string>>;
}

export interface Frame {
  readonly language: Language;
  readonly siteName: string;
  /** Addresses of the style sheets, in their order. */
  readonly styles: readonly string[];
  readonly icon: string;
  /** Address of a script; most pages have none. */
  readonly script?: string | undefined;
  /** Of the owner's logo; undefined for the product's mark. */
  readonly logo: string | undefined;
  /** The page's own path with its query: where the choice of a language comes back to. */
  readonly path: string;
  readonly token: string;
  /** Of a page that answers a form: where that is found again. */
  readonly formPage?: string | undefined;
  /** Words of the frame. */
  readonly words: { readonly skip: string; readonly language: string; readonly navigation: string };
  /** Where the name of the site leads. */
  readonly home: string;
  /** Default: as the system has it. */
  readonly theme?: "auto" | "light" | "dark";
  /** For style sheets: attributes of the whole page. */
  readonly look?: Readonly<Record<`data-${string}`, string>>;
  /** Above everything while it lasts, with the form that ends it. */
  readonly banner?:
    | {
        readonly text: string;
        readonly path: string;
        readonly label: string;
        /** It leads to a page, rather than doing something. */
        readonly isLink?: boolean;
      }
    | undefined;
  /** In which the pages can be read; all by default. Of one there is nothing to choose. */
  readonly languages?: readonly Language[];
  /** Above the footer's links. */
  readonly about?: string;
  /** Absent where the page has no footer. */
  readonly footer?: readonly NavigationItem[];
  /** The signed-in user, with the navigation and the sign-out. */
  readonly account?: {
    readonly name: string;
    readonly items: readonly NavigationItem[];
    readonly current: string;
    readonly signOut: { readonly path: string; readonly label: string };
  };
}

interface DocumentProps {
  readonly frame: Frame;
  readonly title: string;
  readonly children: Child;
  /** A single column, as wide as a form. */
  readonly narrow?: boolean;
  /** In place of the header with the site's name and the account's places. */
  readonly header?: Child;
  /** In place of the footer with the choice of a language. */
  readonly footer?: Child;
  /** More elements for the head; their texts are escaped already. */
  readonly head?: string | undefined;
}

/** The name of the site, with its logo. */
export function BrandLink({ frame: { home, logo, siteName } }: { readonly frame: Frame }) {
  return (
    <a class={logo === undefined ? "brand" : "brand has-logo"} href={home}>
      {logo === undefined ? <></> : <img class="brand-logo" src={logo} alt="" />}
      <span class="brand-name">{siteName}</span>
    </a>
  );
}

function Header({ frame }: { readonly frame: Frame }) {
  const { account, token, words } = frame;
  if (account === undefined)
    return (
      <header class="bar is-plain">
        <BrandLink frame={frame} />
      </header>
    );
  const { items, current, name, signOut } = account;
  return (
    <header class="bar">
      <BrandLink frame={frame} />
      <nav aria-label={words.navigation}>
        <ul class="tabs">
          {items.map(({ path, label }) => (
            <li>
              <a href={path} aria-current={path === current ? "page" : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <form method="post" action={signOut.path} class="row push">
        <input type="hidden" name="form" value={token} />
        <span class="small muted who" title={name}>
          {name}
        </span>
        <button class="button quiet" type="submit">
          {signOut.label}
        </button>
      </form>
    </header>
  );
}

function Footer({ frame }: { readonly frame: Frame }) {
  const { footer, about = "", languages = all, language, path, token, words } = frame;
  if (footer === undefined) return <></>;
  return (
    <footer class="foot">
      {about === "" ? <></> : <p class="foot-about">{about}</p>}
      {footer.map((item) => (
        <a href={item.path} {...item.data}>
          {item.label}
        </a>
      ))}
      {languages.length === 1 ? (
        <></>
      ) : (
        <form method="post" action="/language" class="languages" aria-label={words.language}>
          <input type="hidden" name="form" value={token} />
          <input type="hidden" name="rd" value={path} />
          {languages.map((each) => (
            <button
              type="submit"
              name="language"
              value={each}
              lang={each}
              aria-current={each === language ? "true" : undefined}
            >
              {languageNames[each]}
            </button>
          ))}
        </form>
      )}
    </footer>
  );
}

function Banner({ frame: { banner, token } }: { readonly frame: Frame }) {
  if (banner === undefined) return <></>;
  const { text, path, label, isLink = false } = banner;
  if (isLink)
    return (
      <div class="banner">
        <span>{text}</span>
        <a class="button" href={path}>
          {label}
        </a>
      </div>
    );
  return (
    <form method="post" action={path} class="banner" aria-label={text}>
      <input type="hidden" name="form" value={token} />
      <span>{text}</span>
      <button class="button" type="submit">
        {label}
      </button>
    </form>
  );
}

/** A whole page. */
export function Document({
  frame,
  title,
  children,
  header,
  footer,
  head = "",
  narrow = false,
}: DocumentProps) {
  const { language, siteName, styles, icon, script, formPage, words, theme = "auto", look } = frame;
  return (
    <html lang={language} dir={toDirection(language)} data-theme={theme} {...look}>
      {toHead({
        title: title === siteName ? title : `${title} · ${siteName}`,
        styles,
        icon,
        script,
        more: head + toSentPageTags(formPage),
      })}
      <body class="site">
        <a class="skip" href="#content">
          {words.skip}
        </a>
        <Banner frame={frame} />
        {header ?? <Header frame={frame} />}
        <main id="content" class={narrow ? "page is-narrow" : "page"} tabindex={-1}>
          {children}
        </main>
        {footer ?? <Footer frame={frame} />}
      </body>
    </html>
  );
}
