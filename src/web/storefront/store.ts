/** The script of every page of the storefront: search suggestions, filters, the cart, and the chat. */
import { prepareCart } from "./cart.ts";
import "./chat.ts";
import { prepareFilters } from "./filters.ts";
import { prepareSearch } from "./search.ts";

prepareSearch();
prepareFilters();
prepareCart();
