// proves: U24, U7, U16
import { test } from "node:test";
import { engineSuite } from "../engines/contract/suite.ts";
import { restateStore } from "./restate-store.ts";
import { WITHOUT_RESTATE } from "./server.ts";

if (WITHOUT_RESTATE === false) engineSuite("Restate", restateStore);
else test("Restate: the contract of engines", { skip: WITHOUT_RESTATE }, () => undefined);
