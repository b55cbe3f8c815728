/**
 * The part of the Restate SDK used here, and how it is loaded: it is no dependency of this package, so it is loaded on
 * use, from next to this package or from the working folder. If it is missing, the error says what to install.
 */
import { createRequire } from "node:module";
import { join } from "node:path";

/** The state of one object, read on demand; writes and sends become durable together with the handler's answer. */
export interface ReadContext {
  readonly key: string;
  get<T>(name: string): Promise<T | null>;
}

export interface ObjectContext extends ReadContext {
  set(name: string, value: unknown): void;
  clear(name: string): void;
  readonly date: { now(): Promise<number> };
  readonly rand: { random(): number };
  objectSendClient(of: { readonly name: string }, key: string): SendClient;
}

type SendClient = Record<string, (message: unknown, options?: unknown) => void>;

type Handler<C> = (context: C, message: never) => Promise<unknown>;

interface ObjectDefinition {
  readonly name: string;
  readonly handlers: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface Sdk {
  object(definition: ObjectDefinition): unknown;
  readonly handlers: {
    readonly object: { readonly shared: (handler: Handler<ReadContext>) => unknown };
  };
  readonly rpc: { sendOpts(options: { readonly delay: number }): unknown };
  createEndpointHandler(options: {
    readonly services: readonly unknown[];
    readonly identityKeys?: readonly string[];
    readonly logger: () => void;
  }): (request: never, response: never) => void;
}

const PACKAGE = "@restatedev/restate-sdk";

/** `folder`: the working folder, searched after the location of this package. */
export function loadSdk(folder: string): Sdk {
  for (const from of [import.meta.filename, join(folder, "package.json")]) {
    const load = createRequire(from);
    if (isThere(load)) return load(PACKAGE) as Sdk;
  }
  const error = new Error(
    `${PACKAGE} is not installed: it is needed to work with other machines\n  Install it: npm install -g ${PACKAGE}`,
  );
  throw Object.assign(error, { code: "not-installed" });
}

function isThere(load: NodeJS.Require): boolean {
  try {
    return load.resolve(PACKAGE) !== "";
  } catch {
    return false;
  }
}
