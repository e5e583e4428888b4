/** The version of this release; a test keeps it equal to package.json's. */
export const VERSION = "0.2.0";
