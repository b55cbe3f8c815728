import { createInterface } from "node:readline";
import { excerptOf } from "../src/core/excerpt/excerpt.ts";
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue;
  console.log(JSON.stringify(excerptOf(JSON.parse(line)).text));
}
