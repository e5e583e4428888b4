/** The English words of a server's page, which come with its script. */
import { addEnglish } from "../app/texts.ts";
import english from "../../texts/en/web.json" with { type: "json" };

addEnglish(english);
