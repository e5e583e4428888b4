/** The files of the owner's brand: style sheets and logo under addresses that change with them. */
import type { ServiceApp } from "../kit/http/app.ts";
import { AppError } from "../kit/errors.ts";
import { sendLogo } from "../kit/brand/logo-answer.ts";
import type { Brand } from "./brand.ts";

function toCacheControl(isKnown: boolean): string {
  return isKnown ? "public, max-age=31536000, immutable" : "no-cache";
}

/** Adds the files below each base. Any version in a path returns the current one, cached only under its own. */
export function addBrandFiles(
  app: ServiceApp,
  { readBrand, bases = [""] }: { readonly readBrand: () => Promise<Brand>; readonly bases?: string[] },
): void {
  for (const base of bases) {
    for (const [name, sheet] of [
      ["custom", "styles"],
      ["accent", "accent"],
    ] as const)
      app.get(`${base}/brand/:version/${name}.css`, async (c) => {
        const file = (await readBrand())[sheet];
        return c.body(file?.content ?? "", 200, {
          "content-type": "text/css; charset=utf-8",
          "cache-control": toCacheControl(file !== undefined && c.req.path === base + file.path),
        });
      });
    app.get(`${base}/brand/:version/logo`, async (c) => {
      const { logo } = await readBrand();
      if (logo === undefined) throw new AppError("not_found", "The site has no logo");
      return sendLogo(c, logo.content, toCacheControl(c.req.path === base + logo.path));
    });
  }
}
