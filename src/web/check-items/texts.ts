/** The English texts of checks on the first page, which come with their script. */
import { addEnglish } from "../app/texts.ts";
import english from "../../texts/en/web.json" with { type: "json" };

addEnglish(english);
