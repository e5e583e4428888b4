/** Pictures before their upload: checked, and turned into JPEG where the browser can read what the shop cannot. */
import { UPLOAD_MAX_BYTES } from "../../../shop/base/picture-schema.ts";
import { text } from "../../app/texts.ts";

/** Their media types, for the field that chooses them. */
export const PICTURE_TYPES = "image/png,image/jpeg,image/webp,image/avif,image/heic,image/heif,.heic,.heif";
const SENT = ["image/png", "image/jpeg", "image/webp", "image/avif"];
const QUALITY = 0.92;

/** A file to send, or why there is none. */
export type PreparedPicture = { readonly file: File } | { readonly fault: string };

/** Browsers without HEIC know the file by its name alone. */
function isHeic({ type, name }: File): boolean {
  return /^image\/hei[cf]$/u.test(type) || /\.hei[cf]$/iu.test(name);
}

/** A photo as JPEG; undefined where the browser cannot read it. Safari can. */
async function toJpeg(file: File): Promise<File | undefined> {
  try {
    const picture = await createImageBitmap(file);
    const canvas = document.createElement("canvas");
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.getContext("2d")?.drawImage(picture, 0, 0);
    picture.close();
    const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
    return bytes === null
      ? undefined
      : new File([bytes], file.name.replace(/\.[a-z]+$/iu, ".jpg"), { type: "image/jpeg" });
  } catch {
    return undefined; // it is in a format that this browser does not know
  }
}

/** Checks a file, and turns a HEIC photo into a JPEG. */
export async function preparePicture(given: File): Promise<PreparedPicture> {
  const file = isHeic(given) ? await toJpeg(given) : given;
  if (file === undefined) return { fault: text("shop.ui.picture.heic") };
  if (!SENT.includes(file.type)) return { fault: text("shop.ui.picture.type") };
  return file.size > UPLOAD_MAX_BYTES ? { fault: text("shop.ui.picture.size") } : { file };
}
