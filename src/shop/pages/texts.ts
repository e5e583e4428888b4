/** Texts of the storefront in the available languages: a room for each part. */
import { type KeysOf, type Texts as TextsOf, createTextBook } from "../../kit/text/text-book.ts";
import { shopBuying } from "../../texts/shop-buying.ts";
import { shopCatalogue } from "../../texts/shop-catalogue.ts";
import { shopChat } from "../../texts/shop-chat.ts";
import { shopFrame } from "../../texts/shop-frame.ts";
import { shopPersonal } from "../../texts/shop-personal.ts";

const rooms = [shopFrame, shopCatalogue, shopBuying, shopPersonal, shopChat] as const;
export type TextKey = KeysOf<(typeof rooms)[number]>;
export type Texts = TextsOf<TextKey>;

export const createTexts = createTextBook(...rooms);
