/** Pictures that the documentation shows: 1,440 px wide at most, as WebP. */
import { join } from "node:path";
import sharp from "sharp";

const WIDTH = 1_440;
/** Of a picture of a phone. */
const PHONE = 585;
const PHONE_HEIGHT = 1_350;
/** More of a long page says nothing new. */
const HEIGHT = 900;

/** Writes the top of a picture to `<folder>/<name>.webp`. */
export async function keepPicture(
  picture: string | Buffer,
  { folder, name, isPhone = false }: { folder: string; name: string; isPhone?: boolean },
): Promise<void> {
  await sharp(picture)
    .resize({
      width: isPhone ? PHONE : WIDTH,
      height: isPhone ? PHONE_HEIGHT : HEIGHT,
      fit: "cover",
      position: "top",
    })
    .webp({ quality: 78, effort: 6 })
    .toFile(join(folder, `${name}.webp`));
  console.log(`${name}.webp`);
}
