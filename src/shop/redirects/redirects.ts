/** Former addresses of products, which lead to the current one. */
import type { ReadTx, Tx } from "../../store/store.ts";
import { redirects } from "./records.ts";

const MAX_PATH_BYTES = 500;
const AT_ONCE = 1_000;

/** A path without slashes at its end, which shops write in both ways. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path.charAt(end - 1) === "/") end -= 1;
  return path.slice(0, end);
}

/** The key of a path: decoded, in one normalization, without a slash at its end; undefined for one that cannot be kept. */
export function toRedirectKey(path: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  const key = withoutSlashes(decoded.normalize("NFC"));
  const isPath = /^\/[^\u0000-\u001f\u007f\ud800-\udfff]+$/u.test(key);
  return isPath && new TextEncoder().encode(key).length <= MAX_PATH_BYTES ? key : undefined;
}

/** Lets a former path lead to a product; the newest product of a path counts. */
export async function addRedirect(
  tx: Tx,
  redirect: {
    readonly path: string;
    readonly productId: string;
    readonly importId?: string;
    readonly nowMs: number;
  },
): Promise<void> {
  const { path, productId, importId, nowMs } = redirect;
  const id = toRedirectKey(path);
  if (id === undefined) return;
  const before = await tx.get(redirects, id);
  if (before === undefined) await tx.insert(redirects, { id, productId, importId, createdAt: nowMs });
  else if (before.productId !== productId || before.importId !== importId)
    await tx.put(redirects, { ...before, productId, importId });
}

/** The product that a former path led to. */
export async function findRedirect(tx: ReadTx, path: string): Promise<string | undefined> {
  const id = toRedirectKey(path);
  return id === undefined ? undefined : (await tx.get(redirects, id))?.productId;
}

/** Removes the redirects of a deleted product. */
export async function dropRedirects(tx: Tx, productId: string): Promise<void> {
  const { items } = await tx.list(redirects, "byProduct", { prefix: [productId], limit: AT_ONCE });
  for (const { id } of items) await tx.remove(redirects, id);
}

/** Lets the redirects of a product stay when its import is undone. */
export async function keepRedirects(tx: Tx, productId: string): Promise<void> {
  const { items } = await tx.list(redirects, "byProduct", { prefix: [productId], limit: AT_ONCE });
  for (const redirect of items) await tx.put(redirects, { ...redirect, importId: undefined });
}

/** Ways that a path can be written: Shopify's storefront has products below collections and languages, too. */
export function toFormerPaths(path: string): string[] {
  const plain = /\/products\/[^/]{1,300}$/u.exec(withoutSlashes(path))?.[0];
  return plain === undefined || plain === path ? [path] : [path, plain];
}
