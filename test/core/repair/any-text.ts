/**
 * Text of any UTF-16 units, lone surrogates included; fast-check's own `binary` unit takes a second
 * to set up.
 */
import fc from "fast-check";

export const anyText = (maxLength: number, minLength = 0): fc.Arbitrary<string> =>
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { minLength, maxLength })
    .map((units) => String.fromCharCode(...units));
