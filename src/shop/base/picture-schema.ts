/** Sizes of pictures in bytes. */

/** Of a picture that is kept. */
export const IMAGE_MAX_BYTES = 5_242_880;
/** Of an upload by an administrator: larger pictures are made smaller before they are kept. */
export const UPLOAD_MAX_BYTES = 41_943_040;
