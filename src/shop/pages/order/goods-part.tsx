/** @jsxImportSource hono/jsx */
/** The items of an order, with delivered content: keys, files, and the shop's text about it. */
import type { BuyersFile } from "../../files/buyers-files.ts";
import { nameLine } from "../../orders/delivery.ts";
import type { BuyersOrder } from "../../orders/orders.ts";
import type { OrderLine } from "../../orders/schema.ts";
import { AMOUNT_INPUT } from "../../products/gift-inputs.ts";
import type { BuyersLicense } from "../../licenses/order-licenses.ts";
import { Copyable } from "../pieces/copyable.tsx";
import { Sums } from "../pieces/sums.tsx";
import type { Visit } from "../visit.tsx";
import { LicensePart } from "./license-part.tsx";

interface GoodsProps {
  readonly visit: Visit;
  readonly found: BuyersOrder;
}

interface SoldProps extends GoodsProps {
  /** By the key's ID. */
  readonly licenses: ReadonlyMap<string, BuyersLicense> | undefined;
}

const UNITS = ["B", "kB", "MB", "GB"];

/** "1.4 MB". */
function toSizeWords(bytes: number, language: string): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1_000 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  const shown = new Intl.NumberFormat(language, { maximumFractionDigits: size < 10 && unit > 0 ? 1 : 0 });
  return `${shown.format(size)} ${UNITS[unit] ?? ""}`;
}

/** The remaining downloads of a file. */
function toFileWords({ state, downloadsLeft, expiresAt }: BuyersFile, { t, time }: Visit): string {
  if (state !== "usable") return t(`file.${state}`);
  return [
    downloadsLeft === undefined ? "" : t("file.left", { count: downloadsLeft }),
    expiresAt === undefined ? "" : t("file.until", { time: time(expiresAt) }),
  ]
    .filter((text) => text !== "")
    .join(" · ");
}

function File({ file, visit }: { readonly file: BuyersFile; readonly visit: Visit }) {
  const { t, language } = visit;
  const words = [toSizeWords(file.sizeBytes, language), file.label, toFileWords(file, visit)];
  return (
    <li>
      <span class="stack is-tight">
        <span>{file.title === "" ? file.fileName : file.title}</span>
        <span class="small muted">{words.filter((text) => text !== "").join(" · ")}</span>
      </span>
      {file.url === undefined ? (
        <></>
      ) : (
        <a class="button no-print" href={file.url} download={file.fileName}>
          {t("file.download")}
        </a>
      )}
    </li>
  );
}

function Line({ line, found, visit, licenses }: SoldProps & { readonly line: OrderLine }) {
  const { t, money } = visit;
  const { order, handedOver, files } = found;
  const got = handedOver.find(({ lineId }) => lineId === line.id);
  const own = files?.get(line.id) ?? [];
  // The amount of a gift card is its price.
  const typed = Object.entries(line.inputs).flatMap(([name, text]) => (name === AMOUNT_INPUT ? [] : text));
  return (
    <section class="goods stack">
      <div class="row">
        <h2>{nameLine(line)}</h2>
        <span class="num muted">
          {line.quantity > 1 ? `${line.quantity} × ${money(line.unitPrice, order.currency)}` : ""}
        </span>
        <span class="price num push">{money(line.subtotal, order.currency)}</span>
      </div>
      {typed.length === 0 ? <></> : <p class="small muted">{typed.join(" · ")}</p>}
      {(got?.values ?? []).map((value, index) => {
        const license = licenses?.get(line.secretIds[index] ?? "");
        return (
          <>
            <Copyable text={value} t={t} label={line.title} />
            {license === undefined ? (
              <></>
            ) : (
              <LicensePart visit={visit} number={order.number} found={license} />
            )}
          </>
        );
      })}
      {own.length === 0 ? (
        <></>
      ) : (
        <ul class="lines">
          {own.map((file) => (
            <File file={file} visit={visit} />
          ))}
        </ul>
      )}
      {got === undefined || got.instructions === "" ? <></> : <p class="pre-line">{got.instructions}</p>}
    </section>
  );
}

/** The items, line by line. */
export function GoodsPart({ visit, found, licenses }: SoldProps) {
  return (
    <div class="card stack">
      {found.order.lines.map((line) => (
        <Line line={line} found={found} visit={visit} licenses={licenses} />
      ))}
    </div>
  );
}

export function CostPart({ visit, found }: GoodsProps) {
  const { order } = found;
  const { t, money } = visit;
  return (
    <section class="card" aria-label={t("sums.total")}>
      <Sums
        sums={order}
        visit={visit}
        isSent={order.lines.some(({ deliveryType }) => deliveryType === "shipping")}
        shippingTitle={order.shippingTitle}
        couponCode={order.couponCode}
        discounts={order.discounts}
        giftCards={order.giftCards?.filter(({ isReleased }) => isReleased !== true)}
      />
      {order.amountRefunded > 0 ? (
        <p class="muted">{t("order.refunded", { amount: money(order.amountRefunded, order.currency) })}</p>
      ) : (
        <></>
      )}
    </section>
  );
}
