// Writes 100,000 bytes to the transcript named by its argument and prints what became of it.
import { openTranscript } from "../../../src/agents/process/output.ts";

const path = process.argv[2] ?? "";
const file = await openTranscript({ path, maxBytes: 1e9, onRoom: () => undefined });
for (let count = 0; count < 10; count += 1) file.write("stdout", Buffer.alloc(10_000, "z\n"));
console.log(JSON.stringify(await file.close()));
