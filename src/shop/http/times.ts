/** Times in answers. */
export { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
