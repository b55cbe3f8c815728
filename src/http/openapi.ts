/**
 * The description of the API in OpenAPI 3.1, made from the schemas that check its input. `schemas/openapi.json` is this
 * text, and a test checks that it is.
 */
import * as z from "zod";
import { answerByToken } from "../operations/notify/answer-by-token.ts";
import { VERSION } from "../operations/version.ts";
import { ANSWER_BY_TOKEN_PATH } from "./guard.ts";
import { CHANGES, READS, type AnyOperation } from "./routes.ts";

const PROBLEM_CODES = [
  ...["bad-input", "not-found", "ambiguous", "not-now", "not-allowed"],
  ...["needs-consent", "failed", "machine", "journal"],
];

const problem = {
  type: "object",
  properties: {
    problem: {
      type: "object",
      properties: {
        code: { enum: PROBLEM_CODES },
        message: { type: "string", description: "Can be shown as it is" },
        run: { type: "string" },
        next: { type: "string", description: "What to do about it" },
      },
      required: ["code", "message"],
    },
  },
  required: ["problem"],
};

const ofJson = (schema: object) => ({ "application/json": { schema } });
const stream = (description: string) => ({
  description,
  content: { "text/event-stream": { schema: { type: "string" } } },
});
const refused = {
  description: "Why not: 400 bad input, 401 not signed in, 403 not allowed, 404, 409 not now, 500",
  content: ofJson({ $ref: "#/components/schemas/Problem" }),
};
const query = (name: string, description: string, schema: object = { type: "string" }) => ({
  ...{ name, in: "query", description, schema },
});
const folder = query("folder", "A folder of the server's machine; default: where it was started");

export async function openApi(): Promise<object> {
  const paths: Record<string, object> = {};
  const schemas: Record<string, object> = { Problem: problem };
  const kept = (name: string, schema: object): object => {
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  };
  const parts = async (name: string, operation: AnyOperation) => {
    const { input, output } = await operation.schemas();
    const words = name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return {
      content: ofJson(kept(`${words}Input`, described(input, "input"))),
      responses: {
        200: answered(kept(`${words}Output`, described(output, "output"))),
        default: refused,
      },
    };
  };
  for (const [name, operation] of Object.entries(READS)) {
    const { content, responses } = await parts(name, operation);
    const input = { name: "input", in: "query", description: "The input as JSON", content };
    paths[`/api/${name}`] = {
      get: { operationId: name, parameters: [input, folder], responses },
      post: {
        operationId: `${name}-by-post`,
        description: "The same, for an input that is too long for an address",
        parameters: [folder],
        requestBody: { content },
        responses,
      },
    };
  }
  for (const [name, operation] of Object.entries(CHANGES)) {
    const { content, responses } = await parts(name, operation);
    const requestBody = { required: true, content };
    paths[`/api/${name}`] = {
      post: { operationId: name, parameters: [folder], requestBody, responses },
    };
  }
  const { content, responses } = await parts("answer-by-token", answerByToken);
  paths[ANSWER_BY_TOKEN_PATH] = {
    post: {
      operationId: "answer-by-token",
      description: "The answer of a message's button; its token is all that is asked for",
      ...{ security: [], requestBody: { required: true, content }, responses },
    },
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "Unstuck",
      version: VERSION,
      description: "What the command line can do, over HTTP. See docs/http.md.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    security: [{ token: [] }, { browser: [] }],
    paths: { ...paths, ...OWN_PATHS },
    components: {
      schemas,
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "unstuck token create NAME" },
        browser: { type: "apiKey", in: "cookie", name: "unstuck-PORT" },
      },
    },
  };
}

/** The stream has no schema here: a generated client would take the two for one answer. */
const answered = (output: object): object => ({
  description:
    "What the command line prints with --json. With Accept: text/event-stream, `happening` and `note` events, then " +
    "`result` or `problem`",
  content: ofJson(output),
});

function described(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _version, ...facts } = z.toJSONSchema(schema, {
    ...{ io, unrepresentable: "any" },
    // An object described elsewhere has fields, even if none is listed here.
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === "object" && jsonSchema.properties === undefined)
        jsonSchema.additionalProperties ??= true;
    },
  });
  return facts;
}

/** Paths that are not operations of the command line. */
const OWN_PATHS = {
  "/api/events": {
    get: {
      operationId: "events",
      parameters: [
        query("run", "Its id; without it: what changes in the list of runs"),
        query("after", "Only what comes after this id", { type: "integer" }),
        { name: "Last-Event-ID", in: "header", schema: { type: "integer" } },
      ],
      responses: { 200: stream("`run`, `runs` and `inbox` events"), default: refused },
    },
  },
  "/api/sign-in": {
    post: {
      operationId: "sign-in",
      security: [],
      requestBody: {
        required: true,
        content: ofJson({
          type: "object",
          properties: { code: { type: "string", description: "What follows the # of the link" } },
          required: ["code"],
        }),
      },
      responses: { 200: answered(signedIn()), default: refused },
    },
  },
  "/api/sign-out": {
    post: {
      operationId: "sign-out",
      responses: { 200: answered(signedIn()), default: refused },
    },
  },
};

function signedIn(): object {
  return {
    type: "object",
    properties: { signedIn: { type: "boolean" } },
    required: ["signedIn"],
  };
}
