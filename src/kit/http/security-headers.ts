/** Headers that every answer carries: what a browser may use it for. */

/**
 * Policy of HTML pages: everything from this origin, nothing inline, no frames around it; text becomes markup only by
 * web/pages/own-html.ts, which several scripts of a page may hold.
 */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types trivet-own-html 'allow-duplicates'";
const POLICY = "content-security-policy";
const TRANSPORT = "strict-transport-security";
const KEEP_TO_HTTPS = "max-age=31536000"; // a year

type Fields = Readonly<Record<string, string>>;

/** Of all that is no page, and is not to be shown in one. */
const data: Fields = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  [POLICY]: "default-src 'none'; frame-ancestors 'none'",
};

/** Pictures of products and people are shown by the sites of others. */
const image: Fields = { ...data, "cross-origin-resource-policy": "cross-origin" };

const page: Fields = {
  ...data,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  [POLICY]: PAGE_POLICY,
};

const entries = { data: Object.entries(data), image: Object.entries(image), page: Object.entries(page) };

/**
 * Creates the headers of every response, with the default policy for responses without one. Over HTTPS, sets
 * HSTS (RFC 6797) for this host only.
 */
export function createSecurityHeaders(address: { readonly publicUrl?: string | undefined }) {
  const isSecure = (): boolean => address.publicUrl?.startsWith("https:") === true;
  const prepare = (plain: Fields): (() => Fields) => {
    const secure = { ...plain, [TRANSPORT]: KEEP_TO_HTTPS };
    return () => (isSecure() ? secure : plain);
  };
  return {
    /** Creates a function that returns the headers of an HTML page with additional ones, combined once instead of per response. */
    preparePage: (own: Fields): (() => Fields) => prepare({ ...page, ...own }),
    /** The same for what is no page. */
    prepareData: (own: Fields): (() => Fields) => prepare({ ...data, ...own }),
    /** Adds those of its type to an answer. */
    addTo: (headers: Headers): void => {
      const type = headers.get("content-type") ?? "";
      // A picture for one person is shown by no other site.
      const isPublic = headers.get("cache-control")?.startsWith("private") !== true;
      const isImage = type.startsWith("image/") && isPublic;
      const kind = type.startsWith("text/html") ? "page" : isImage ? "image" : "data";
      for (const [name, value] of entries[kind])
        if (name !== POLICY || !headers.has(POLICY)) headers.set(name, value);
      if (isSecure()) headers.set(TRANSPORT, KEEP_TO_HTTPS);
    },
  };
}

/** Where a service says which tokens it takes (RFC 9728 section 3). */
export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

/** Adds to a challenge for a token where its metadata is (RFC 9728 section 5.1). */
export function nameResourceMetadata(headers: Headers, publicUrl: string): void {
  const challenge = headers.get("www-authenticate");
  if (challenge?.startsWith("Bearer") !== true) return;
  const at = `resource_metadata="${publicUrl}${RESOURCE_METADATA_PATH}"`;
  headers.set("www-authenticate", `${challenge}${challenge === "Bearer" ? " " : ", "}${at}`);
}
