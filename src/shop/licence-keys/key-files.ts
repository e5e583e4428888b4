/** License keys in files: a key a line, or a column of a CSV. */
import { readCsv } from "../../kit/files/csv.ts";
import { type Encoding, decodeText } from "../../kit/files/decode-text.ts";
import { AppError } from "../../kit/errors.ts";

/** Names of a column with keys, in small letters, with blanks and marks left out. */
const headers: ReadonlySet<string> = new Set(
  (
    "key keys license licence licensekey licencekey licensekeys licencekeys productkey activationkey activationcode " +
    "code codes serial serialnumber serialno schlüssel lizenz lizenzschlüssel produktschlüssel aktivierungscode " +
    "seriennummer 密钥 卡密 激活码 序列号 兑换码 许可证密钥 产品密钥"
  ).split(" "),
);

function isHeader(cell: string): boolean {
  return headers.has(cell.toLowerCase().replaceAll(/[\s_.-]/gu, ""));
}

/** The lines that have something in them. @throws AppError `bad_request` where the encoding is not certain */
export function readKeyLines(bytes: Uint8Array, encoding: Encoding | undefined): string[] {
  const { text } = decodeText(bytes, encoding);
  return text.split(/\r\n|\n|\r/u).filter((line) => line.trim() !== "");
}

/** The keys of a CSV with one column, or with one whose name says so. @throws AppError `bad_request` */
export async function readKeyTable(bytes: Uint8Array, encoding: Encoding | undefined): Promise<string[]> {
  const { rows } = readCsv(bytes, { encoding, isHeader });
  const keys: string[] = [];
  let column: number | undefined;
  let isNamed = false;
  for await (const { line, cells } of rows) {
    if (column === undefined) {
      const found = cells.findIndex(isHeader);
      isNamed = found >= 0;
      column = Math.max(found, 0);
      if (isNamed) continue;
    }
    if (!isNamed && cells.slice(1).some((cell) => cell.trim() !== ""))
      throw new AppError(
        "bad_request",
        `Line ${line} has more than one cell. Name the column with the keys "key" in the first row, or send text with one key per line`,
        { details: { reason: "keys", line } },
      );
    const key = cells[column]?.trim() ?? "";
    if (key !== "") keys.push(key);
  }
  return keys;
}
