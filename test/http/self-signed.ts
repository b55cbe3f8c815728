/** A certificate for this machine's own address, made anew for a test: nothing secret has to lie in the repository. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.from([0]), bytes);
const time = (year: number): Buffer => der(0x18, Buffer.from(`${year}0101000000Z`));
const hex = (text: string): Buffer => Buffer.from(text, "hex");

/** 1.2.840.10045.4.3.2, 2.5.4.3 and 2.5.29.17 */
const ECDSA_SHA256 = sequence(hex("06082a8648ce3d040302"));
const COMMON_NAME = hex("0603550403");
const ALTERNATIVE_NAME = hex("0603551d11");

export function selfSigned(): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from("unstuck test")))));
  const addresses = der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1]))));
  const facts = sequence(
    der(0xa0, hex("020102")),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    name,
    sequence(time(2020), time(2120)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(ALTERNATIVE_NAME, addresses))),
  );
  const signature = sign("sha256", facts, privateKey);
  const text = sequence(facts, ECDSA_SHA256, bits(signature)).toString("base64");
  const lines = text.match(/.{1,64}/g) ?? [];
  const kind = "CERTIFICATE";
  return {
    cert: [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`, ""].join("\n"),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}
