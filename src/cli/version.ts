/** The version of this package; a test compares it with package.json. Imports nothing. */
export const VERSION = "0.1.0";
