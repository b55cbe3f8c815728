// Lint: type-aware rules, the layer rules of design ("left may import right only") and the purity of core.
import tseslint from "typescript-eslint";

const layersAbove = {
  core: [
    "library",
    "journal",
    "runtime",
    "engines",
    "agents",
    "workspace",
    "operations",
    "cli",
    "mcp",
    "testing",
  ],
  journal: ["runtime", "engines", "agents", "workspace", "operations", "cli", "mcp", "testing"],
  runtime: ["engines", "agents", "workspace", "operations", "cli", "mcp", "testing"],
  engines: ["agents", "workspace", "operations", "cli", "mcp", "testing"],
  agents: ["engines", "workspace", "operations", "cli", "mcp", "testing"],
  workspace: ["engines", "agents", "operations", "cli", "mcp", "testing"],
  operations: ["cli", "mcp", "testing"],
  mcp: ["cli", "testing"],
  cli: ["testing"],
  library: [
    "journal",
    "runtime",
    "engines",
    "agents",
    "workspace",
    "operations",
    "cli",
    "mcp",
    "testing",
  ],
  testing: ["operations", "cli", "mcp"],
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
    files: ["**/*.ts"],
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
    files: ["test/**/*.ts", "bench/**/*.ts"],
    rules: { "@typescript-eslint/no-floating-promises": "off" },
  },
  restricted("core", pureOnly),
  { files: ["src/core/**/*.ts", "src/runtime/**/*.ts"], rules: noClockNoChance },
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
  restricted("cli"),
  restricted("testing"),
  restricted("library", pureOnly),
);
