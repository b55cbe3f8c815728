// Lint: type-aware rules, the layer rules of design ("left may import right only") and the purity of core.
import tseslint from "typescript-eslint";

const faces = ["cli", "mcp", "http"];
const aboveWork = ["operations", ...faces, "testing"];
const work = ["engines", "agents", "workspace"];
const aboveCore = ["library", "journal", "runtime", ...work, ...aboveWork];
const without = (names, ...left) => names.filter((name) => !left.includes(name));

const layersAbove = {
  core: aboveCore,
  simulator: aboveCore,
  library: without(aboveCore, "library"),
  journal: without(aboveCore, "library", "journal"),
  runtime: [...work, ...aboveWork],
  engines: [...without(work, "engines"), ...aboveWork],
  agents: [...without(work, "agents"), ...aboveWork],
  workspace: [...without(work, "workspace"), ...aboveWork],
  operations: [...faces, "testing"],
  mcp: ["cli", "http", "testing"],
  http: ["cli", "mcp", "testing"],
  cli: ["testing"],
  testing: ["operations", ...faces],
};

const restricted = (folder, extra = []) => ({
  files: [`src/${folder}/**/*.ts`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          { group: layersAbove[folder].map((name) => `**/${name}/**`), message: "layer rule" },
          ...extra,
        ],
      },
    ],
  },
});

const pureOnly = [
  { group: ["node:*"], message: "core and runtime do no I/O: use a port" },
  {
    group: ["fs", "fs/*", "path", "os", "child_process", "crypto", "http", "https", "net"],
    message: "core and runtime do no I/O: use a port",
  },
];

const noClockNoChance = {
  "no-restricted-globals": [
    "error",
    "process",
    "setTimeout",
    "setInterval",
    "setImmediate",
    "fetch",
    "performance",
    "crypto",
  ],
  "no-restricted-syntax": [
    "error",
    {
      selector: "MemberExpression[object.name='Math'][property.name='random']",
      message: "chance is an argument",
    },
    {
      selector: "MemberExpression[object.name='Date'][property.name='now']",
      message: "time is an argument",
    },
    {
      selector: "NewExpression[callee.name='Date'][arguments.length=0]",
      message: "time is an argument",
    },
    { selector: "CallExpression[callee.name='Date']", message: "time is an argument" },
  ],
};

export default tseslint.config(
  {
    ignores: [
      "dist/**",
      "node_modules/**",
      "reports/**",
      ".stryker-tmp/**",
      "test/real-agents/node_modules/**",
    ],
  },
  {
    files: ["**/*.ts", "web/**/*.tsx"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/require-await": "off",
      "no-control-regex": "off",
      "no-restricted-imports": "off",
    },
  },
  {
    files: ["web/**/*.ts", "web/**/*.tsx"],
    languageOptions: {
      parserOptions: { project: "./web/tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Markup from a text would be a hole; nothing here needs it.
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "JSXAttribute[name.name='dangerouslySetInnerHTML'], MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]",
          message: "foreign text enters the page as text",
        },
      ],
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "/src/(?!core/)",
              allowTypeImports: true,
              message: "the page takes values from core alone, types from everywhere",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["test/**/*.ts", "bench/**/*.ts"],
    rules: { "@typescript-eslint/no-floating-promises": "off" },
  },
  restricted("core", pureOnly),
  {
    files: ["src/core/**/*.ts", "src/runtime/**/*.ts", "src/simulator/**/*.ts"],
    rules: noClockNoChance,
  },
  {
    files: ["src/core/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        ...noClockNoChance["no-restricted-syntax"],
        { selector: "AwaitExpression", message: "core is synchronous" },
        { selector: ":function[async=true]", message: "core is synchronous" },
      ],
    },
  },
  restricted("journal"),
  restricted("runtime", pureOnly),
  restricted("engines"),
  restricted("agents"),
  restricted("workspace"),
  restricted("operations"),
  restricted("mcp"),
  restricted("http"),
  restricted("cli"),
  restricted("testing"),
  restricted("library", pureOnly),
  restricted("simulator", pureOnly),
);
