/** Words of the page of an error, in every language. */
import type { Language } from "../kit/text/languages.ts";

/** Statuses that have words of their own; others are told as 400. */
export type ToldStatus = 400 | 403 | 404 | 413 | 421 | 429 | 500 | 503;

interface ErrorWords {
  readonly skip: string;
  readonly home: string;
  readonly addresses: string;
  /** Before the id of the request. */
  readonly request: string;
  readonly told: Readonly<Record<ToldStatus, readonly [title: string, text: string]>>;
}

export const errorWords: Readonly<Record<Language, ErrorWords>> = {
  en: {
    skip: "Skip to the content",
    home: "To the start",
    addresses: "These addresses lead to a service:",
    request: "If you ask for help, name request",
    told: {
      400: ["That did not work", "The request could not be understood. Go back and try again."],
      403: [
        "Not allowed",
        "This was not sent by a page of this site, or you may not do it. Open the page again and repeat it there.",
      ],
      404: ["Nothing is here", "The address is wrong, or what was here is gone or private."],
      413: ["That is too large", "Send less at once."],
      421: [
        "Nothing is here",
        "This host name belongs to no service. If a proxy is in front, it has to pass on the host name that people use.",
      ],
      429: ["Too many requests", "Wait a little and try again."],
      500: ["Something went wrong", "It is our fault and was noted. Try again in a moment."],
      503: ["Back in a moment", "This cannot be done right now. Try again in a few seconds."],
    },
  },
  zh: {
    skip: "跳到正文",
    home: "回到首页",
    addresses: "以下地址通向某个服务：",
    request: "如需帮助，请提供请求编号",
    told: {
      400: ["没有成功", "无法理解此请求，请返回再试。"],
      403: ["不允许", "此请求不是由本站页面发出，或你无权执行。请重新打开页面再操作。"],
      404: ["这里什么也没有", "地址有误，或内容已移除或不公开。"],
      413: ["太大了", "请一次少发送一些。"],
      421: ["这里什么也没有", "没有服务使用这个主机名。如果前面有代理，它必须转发用户所用的主机名。"],
      429: ["请求过多", "请稍候再试。"],
      500: ["出了点问题", "是我们的问题，已记录。请稍后再试。"],
      503: ["马上回来", "暂时无法完成，请几秒后再试。"],
    },
  },
  de: {
    skip: "Zum Inhalt",
    home: "Zum Anfang",
    addresses: "Diese Adressen führen zu einem Dienst:",
    request: "Wenn Sie um Hilfe bitten, nennen Sie Anfrage",
    told: {
      400: [
        "Das hat nicht geklappt",
        "Die Anfrage war nicht zu verstehen. Gehen Sie zurück und versuchen Sie es noch einmal.",
      ],
      403: [
        "Nicht erlaubt",
        "Das kam nicht von einer Seite dieser Website, oder Sie dürfen es nicht. Öffnen Sie die Seite noch einmal und wiederholen Sie es dort.",
      ],
      404: ["Hier ist nichts", "Die Adresse stimmt nicht, oder was hier war, ist weg oder privat."],
      413: ["Das ist zu groß", "Senden Sie weniger auf einmal."],
      421: [
        "Hier ist nichts",
        "Dieser Hostname gehört zu keinem Dienst. Steht ein Proxy davor, muss er den Hostnamen weitergeben, den die Besucher verwenden.",
      ],
      429: ["Zu viele Anfragen", "Warten Sie ein wenig und versuchen Sie es noch einmal."],
      500: [
        "Etwas ist schiefgegangen",
        "Das liegt an uns und wurde notiert. Versuchen Sie es gleich noch einmal.",
      ],
      503: ["Gleich wieder da", "Das geht gerade nicht. Versuchen Sie es in ein paar Sekunden noch einmal."],
    },
  },
};
