/** Pages that are the same for all who see them: rendered once, and kept as bytes with all their headers. */
import type { Context } from "hono";
import type { AppEnv, SendPage, ServiceApp } from "../../kit/http/app.ts";
import { createEntityTag, isKnownTag } from "../../kit/http/etag.ts";

/** Of all pages together; they say little. */
const MAX_BYTES = 16_777_216;
const encoder = new TextEncoder();

interface Encoded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly send: SendPage;
}

interface PageName {
  readonly key: string;
  /** Another one after each change of what the page shows. */
  readonly version: string;
  /** Whether the answer brings a cookie. */
  readonly hasCookie: boolean;
}

interface ReadyPage {
  readonly version: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: Encoded;
  readonly gzipped: Encoded;
}

async function compress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function takesGzip(c: Context<AppEnv>): boolean {
  // Below a base path, the page is rendered for each response.
  if (c.get("basePath") !== undefined) return false;
  return /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?(?:[,\s]|$))/iu.test(c.req.header("accept-encoding") ?? "");
}

export function createReadyPages(app: ServiceApp) {
  /** Least recently used first. */
  const pages = new Map<string, ReadyPage>();
  let keptBytes = 0;
  const sizeOf = ({ plain, gzipped }: ReadyPage): number => plain.bytes.length + gzipped.bytes.length;

  function forget(name: string): void {
    const page = pages.get(name);
    if (page === undefined) return;
    pages.delete(name);
    keptBytes -= sizeOf(page);
  }

  function answer(c: Context<AppEnv>, page: ReadyPage, { hasCookie }: PageName): Response {
    const { bytes, send, etag } = takesGzip(c) ? page.gzipped : page.plain;
    // A response with a cookie must not be shared.
    if (hasCookie)
      return c.body(page.plain.bytes, 200, { ...page.headers, "cache-control": "private, no-cache" });
    if (!isKnownTag(c.req.header("if-none-match"), etag)) return send(c, bytes);
    const { "content-type": _, ...rest } = page.headers;
    return c.body(null, 304, { ...rest, etag });
  }

  return {
    /** Answers with a page that is kept in that version; undefined where there is none. */
    find: (c: Context<AppEnv>, asked: PageName): Response | undefined => {
      const page = pages.get(asked.key);
      if (page?.version !== asked.version) return undefined;
      pages.delete(asked.key);
      pages.set(asked.key, page);
      return answer(c, page, asked);
    },
    /** Keeps a page in the place of any other version, and answers with it. */
    keep: async (
      c: Context<AppEnv>,
      asked: PageName,
      { html, headers }: { readonly html: string; readonly headers: Readonly<Record<string, string>> },
    ): Promise<Response> => {
      const bytes = encoder.encode(html);
      const [etag, packed] = await Promise.all([createEntityTag(bytes), compress(bytes)]);
      const toEncoded = (
        encoded: Uint8Array<ArrayBuffer>,
        own: Readonly<Record<string, string>>,
      ): Encoded => ({
        bytes: encoded,
        etag: own["etag"] ?? etag,
        send: app.createPageSender({ ...headers, ...own }),
      });
      const page: ReadyPage = {
        version: asked.version,
        headers,
        plain: toEncoded(bytes, { etag }),
        // Other bytes, so another tag: it is a strong one.
        gzipped: toEncoded(packed, { etag: etag.replace(/"$/u, '-gz"'), "content-encoding": "gzip" }),
      };
      forget(asked.key);
      pages.set(asked.key, page);
      keptBytes += sizeOf(page);
      for (const other of pages.keys()) {
        if (keptBytes <= MAX_BYTES) break;
        forget(other);
      }
      return answer(c, page, asked);
    },
  };
}

export type ReadyPages = ReturnType<typeof createReadyPages>;
