// proves: U7, U16
import { engineSuite } from "./contract/suite.ts";
import { embeddedStore } from "./embedded-store.ts";

engineSuite("embedded", () => embeddedStore());
engineSuite("embedded, safe mode", () => embeddedStore({ fileSystemType: () => 0x6969 }));
