/**
 * Check digits of the EU's VAT ids, by prefix: the algorithms that the tax administrations publish, as the European
 * Commission collected them (TAXUD, "VIES: algorithms for checking VAT numbers"). Forms are checked before, so each
 * body has the length and letters of its country.
 */

type Check = (body: string) => boolean;

const digitsOf = (text: string): number[] => Array.from(text, Number);

function weigh(text: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(text[index] ?? 0), 0);
}

/** The digits of the weighted sum's own addends, as Luhn adds them: 14 counts as 1 + 4. */
function luhn(text: string): number {
  return digitsOf(text)
    .toReversed()
    .reduce((sum, digit, index) => sum + (index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0);
}

/** ISO/IEC 7064, MOD 11,10. */
function isMod1110(text: string): boolean {
  const digits = digitsOf(text);
  const last = digits.pop() ?? 0;
  const product = digits.reduce((before, digit) => (((before + digit) % 10 || 10) * 2) % 11, 10);
  return (11 - product) % 10 === last;
}

/** ISO/IEC 7064, MOD 97,10: letters count from A = 10 on. */
function isMod9710(text: string): boolean {
  const digits = Array.from(text, (character) => Number.parseInt(character, 36)).join("");
  return BigInt(digits) % 97n === 1n;
}

/** The civil number of a Bulgarian: from 2000 on, months count from 41; before 1900, from 21. */
const isUcn: Check = (body) => {
  const month = Number(body.slice(2, 4));
  const day = Number(body.slice(4, 6));
  const isDate = month <= 52 && month % 20 >= 1 && month % 20 <= 12 && day >= 1 && day <= 31;
  return isDate && (weigh(body, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === Number(body[9]);
};

const bulgarian: Check = (body) => {
  if (body.length === 9) {
    const first = weigh(body, [1, 2, 3, 4, 5, 6, 7, 8]) % 11;
    const check = first === 10 ? (weigh(body, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10 : first;
    return check === Number(body[8]);
  }
  const isForeigner = weigh(body, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10 === Number(body[9]);
  const other = 11 - (weigh(body, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11);
  return isUcn(body) || isForeigner || (other !== 10 && other % 11 === Number(body[9]));
};

const cypriot: Check = (body) => {
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
  const sum = digitsOf(body.slice(0, 8)).reduce(
    (all, digit, index) => all + (index % 2 === 0 ? (odd[digit] ?? 0) : digit),
    0,
  );
  return !body.startsWith("12") && body.codePointAt(8) === 65 + (sum % 26);
};

/** Months of a Czech or Slovak birth number: women have 50 more, and 20 more are for days with too many births. */
function isBirthNumber(body: string): boolean {
  const month = Number(body.slice(2, 4)) % 50;
  const day = Number(body.slice(4, 6));
  return ((month >= 1 && month <= 12) || (month >= 21 && month <= 32)) && day >= 1 && day <= 31;
}

const czech: Check = (body) => {
  if (body.length === 8) {
    const rest = 11 - (weigh(body, [8, 7, 6, 5, 4, 3, 2]) % 11);
    return !body.startsWith("9") && rest % 10 === Number(body[7]);
  }
  if (body.length === 9 && body.startsWith("6")) {
    const rest = weigh(body.slice(1), [8, 7, 6, 5, 4, 3, 2]) % 11;
    return (8 + rest) % 10 === Number(body[8]);
  }
  if (body.length === 9) return isBirthNumber(body) && Number(body.slice(0, 2)) <= 53;
  const first = Number(body.slice(0, 9)) % 11;
  return isBirthNumber(body) && first % 10 === Number(body[9]);
};

const SPANISH_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";

const spanish: Check = (body) => {
  const [first = ""] = body;
  const last = body.slice(8);
  if (/\d/u.test(first)) return SPANISH_LETTERS[Number(body.slice(0, 8)) % 23] === last;
  const foreign = "XYZ".indexOf(first);
  if (foreign >= 0) return SPANISH_LETTERS[Number(`${foreign}${body.slice(1, 8)}`) % 23] === last;
  if ("KLM".includes(first)) return SPANISH_LETTERS[Number(body.slice(1, 8)) % 23] === last;
  if (!"ABCDEFGHJNPQRSUVW".includes(first)) return false;
  const check = (10 - (luhn(`${body.slice(1, 8)}0`) % 10)) % 10;
  const isDigit = String(check) === last && !"NPQRSW".includes(first);
  return isDigit || ("JABCDEFGHI"[check] === last && !"ABEH".includes(first));
};

const french: Check = (body) => {
  const alphabet = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ";
  const siren = body.slice(2);
  // Those of Monaco begin with 000 and have no check digit.
  if (!siren.startsWith("000") && luhn(siren) % 10 !== 0) return false;
  const key = body.slice(0, 2);
  if (/^\d\d$/u.test(key)) return (12 + 3 * (Number(siren) % 97)) % 97 === Number(key);
  const [first = 0, second = 0] = Array.from(key, (character) => alphabet.indexOf(character));
  const check = first < 10 ? first * 24 + second - 10 : first * 34 + second - 100;
  return (Number(siren) + 1 + Math.floor(check / 11)) % 11 === check % 11;
};

const irish: Check = (body) => {
  const letters = "WABCDEFGHIJKLMNOPQRSTUV";
  // The old form: the second character replaces the first of eight digits.
  const isOld = !/^\d{7}/u.test(body);
  const seven = isOld ? `0${body.slice(2, 7)}${body[0] ?? ""}` : body.slice(0, 7);
  const extra = 9 * Math.max(0, letters.indexOf(isOld ? "W" : (body[8] ?? "W")));
  return letters[(weigh(seven, [8, 7, 6, 5, 4, 3, 2]) + extra) % 23] === body[7];
};

const italian: Check = (body) => {
  const office = Number(body.slice(7, 10));
  const isOffice = (office >= 1 && office <= 100) || [120, 121, 888, 999].includes(office);
  return isOffice && !body.startsWith("0000000") && luhn(body) % 10 === 0;
};

const lithuanian: Check = (body) => {
  const digits = digitsOf(body);
  const last = digits.pop();
  const sum = (offset: number): number =>
    digits.reduce((all, digit, index) => all + digit * (1 + ((index + offset) % 9)), 0) % 11;
  const first = sum(0);
  return body.at(-2) === "1" && (first === 10 ? sum(2) % 10 : first) === last;
};

const latvian: Check = (body) => {
  if (Number(body[0]) > 3) return weigh(body, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3;
  // Personal codes since 2017 begin with 32 and hold no birthday and no check digit.
  if (body.startsWith("32")) return true;
  const [day, month] = [Number(body.slice(0, 2)), Number(body.slice(2, 4))];
  const isDate = day >= 1 && day <= 31 && month >= 1 && month <= 12;
  return isDate && ((1 + weigh(body, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10 === Number(body[10]);
};

const dutch: Check = (body) => {
  const [number = "", branch = ""] = body.split("B");
  if (Number(branch) === 0 || !/^\d{9}$/u.test(number)) return false;
  const isCitizen = weigh(number, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 && Number(number) > 0;
  // Since 2020, sole traders have numbers that are checked as a whole.
  return isCitizen || isMod9710(`NL${body}`);
};

const portuguese: Check = (body) => {
  const rest = 11 - (weigh(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return !body.startsWith("0") && (rest >= 10 ? 0 : rest) === Number(body[8]);
};

const romanian: Check = (body) => {
  const padded = body.padStart(10, "0");
  const check = ((10 * weigh(padded, [7, 5, 3, 2, 1, 7, 5, 3, 2])) % 11) % 10;
  return !body.startsWith("0") && check === Number(padded[9]);
};

const slovenian: Check = (body) => {
  const rest = 11 - (weigh(body, [8, 7, 6, 5, 4, 3, 2]) % 11);
  return !body.startsWith("0") && rest !== 11 && rest % 10 === Number(body[7]);
};

const northernIrish: Check = (body) => {
  if (body.startsWith("GD")) return Number(body.slice(2)) < 500;
  if (body.startsWith("HA")) return Number(body.slice(2)) >= 500;
  const sum = weigh(body, [8, 7, 6, 5, 4, 3, 2, 10, 1]);
  return Number(body.slice(0, 7)) > 0 && (sum % 97 === 0 || (sum + 55) % 97 === 0);
};

/** Whether the check digits of a well-formed body are right, by prefix. */
export const digitChecks: Readonly<Record<string, Check>> = {
  AT: (body) => {
    const sum = digitsOf(body.slice(1, 8)).reduce(
      (all, digit, index) => all + (index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)),
      0,
    );
    return (10 - ((sum + 4) % 10)) % 10 === Number(body[8]);
  },
  BE: (body) => 97 - (Number(body.slice(0, 8)) % 97) === Number(body.slice(8)),
  BG: bulgarian,
  CY: cypriot,
  CZ: czech,
  DE: (body) => !body.startsWith("0") && isMod1110(body),
  DK: (body) => !body.startsWith("0") && weigh(body, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  EE: (body) => weigh(body, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0 && Number(body) > 0,
  EL: (body) =>
    Number(body) > 0 && (weigh(body, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === Number(body[8]),
  ES: spanish,
  FI: (body) => weigh(body, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0 && Number(body) > 0,
  FR: french,
  HR: isMod1110,
  HU: (body) => Number(body) > 0 && weigh(body, [9, 7, 3, 1, 9, 7, 3, 1]) % 10 === 0,
  IE: irish,
  IT: italian,
  LT: lithuanian,
  LU: (body) => Number(body) > 0 && Number(body.slice(0, 6)) % 89 === Number(body.slice(6)),
  LV: latvian,
  MT: (body) => Number(body) > 100_000 && weigh(body, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0,
  NL: dutch,
  PL: (body) => Number(body) > 0 && weigh(body, [6, 5, 7, 2, 3, 4, 5, 6, 7, -1]) % 11 === 0,
  PT: portuguese,
  RO: romanian,
  SE: (body) => Number(body) > 1 && luhn(body.slice(0, 10)) % 10 === 0,
  SI: slovenian,
  SK: (body) => !body.startsWith("0") && "234789".includes(body[2] ?? "") && Number(body) % 11 === 0,
  XI: northernIrish,
};
