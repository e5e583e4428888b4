/** The script of every page of the storefront: search suggestions and the chat. */
import "./chat.ts";
import { prepareSearch } from "./search.ts";

prepareSearch();
