/**
 * Small repositories in the image of real ones, one for each kind of tool chain: a red test, a wrong try, a right fix. Real
 * compilers and interpreters where they are installed; packages are local, so that nothing needs the network.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../cli/command.ts";
import type { Repository } from "../run/repository.ts";
import type { Files } from "./judged.ts";
import { ALSO_WRONG, FIXED, MOCHA_PROJECT, putMocha } from "./projects.ts";

export interface Fixture {
  readonly name: string;
  readonly files: Files;
  readonly needs: readonly string[];
  /** Puts what is not tracked into the user's checkout. */
  readonly put?: (here: Repository) => void;
  readonly plan: readonly string[];
  readonly wrong: Files;
  readonly right: Files;
}

const MOCHA: Fixture = {
  name: "a mocha project with carried packages",
  files: { ...MOCHA_PROJECT, ".mocharc.json": '{ "ignore": ["test/helper.js"] }\n' },
  needs: ["npm"],
  put: putMocha,
  plan: ['checks: ["npm test"]', "workspace: { carry: [node_modules] }"],
  wrong: { "src/add.js": ALSO_WRONG },
  right: { "src/add.js": FIXED },
};

const hasPytest = (): boolean => spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;

/** Makes an environment whose package is the checkout it is made in, as `pip install -e` does. */
const MAKES_VENV =
  "python3 -m venv --without-pip --system-site-packages .venv\n" +
  "site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path(\"purelib\"))')\n" +
  'echo "$PWD/src" > "$site/calc.pth"\n';
const pyAdd = (body: string): string => `def add(a, b):\n    return ${body}\n`;
export const PYTHON_FILES: Files = {
  ".gitignore": ".venv/\n__pycache__/\n.pytest_cache/\n",
  "pyproject.toml": '[project]\nname = "calc"\nversion = "1.0"\n',
  "src/calc/__init__.py": pyAdd("a - b"),
  "tests/test_calc.py":
    "import unittest\nfrom calc import add\n\n\nclass AddTest(unittest.TestCase):\n" +
    "    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n",
  "tools/venv.sh": MAKES_VENV,
};
export const pythonCheck = (): string =>
  `.venv/bin/python -m ${hasPytest() ? "pytest -q tests" : "unittest discover -s tests"}`;

const PYTHON = (): Fixture => ({
  name: "a Python package with an editable install",
  files: PYTHON_FILES,
  needs: ["python3"],
  plan: [`checks: ["${pythonCheck()}"]`, 'workspace: { setup: ["sh tools/venv.sh"] }'],
  wrong: { "src/calc/__init__.py": pyAdd("a * b") },
  right: { "src/calc/__init__.py": pyAdd("a + b") },
});

const tsAdd = (body: string): string =>
  `export const add = (a: number, b: number): number => ${body};\n`;
const TYPESCRIPT: Fixture = {
  name: "a TypeScript project",
  files: {
    ".gitignore": "node_modules\n",
    "package.json": '{ "type": "module" }\n',
    "tsconfig.json":
      '{ "compilerOptions": { "strict": true, "noEmit": true, "module": "nodenext", "target": "es2022", "lib": ["es2022"], "types": [], "skipLibCheck": true }, "include": ["src"] }\n',
    "src/add.ts": tsAdd("a - b"),
    "test/add.test.js":
      'import { test } from "node:test";\nimport assert from "node:assert/strict";\nimport { add } from "../src/add.ts";\n' +
      'test("adds", () => assert.equal(add(1, 2), 3));\n',
  },
  needs: [],
  put({ path }) {
    mkdirSync(join(path, "node_modules", ".bin"), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", "typescript"), join(path, "node_modules", "typescript"));
    symlinkSync("../typescript/bin/tsc", join(path, "node_modules", ".bin", "tsc"));
  },
  plan: [
    'checks: ["node_modules/.bin/tsc -p .", "node --test"]',
    "workspace: { carry: [node_modules] }",
  ],
  wrong: { "src/add.ts": tsAdd("`${a}${b}`") },
  right: { "src/add.ts": tsAdd("a + b") },
};

const goAdd = (body: string): string =>
  `package calc\n\nfunc Add(a, b int) int {\n\treturn ${body}\n}\n`;
const GO: Fixture = {
  name: "a Go module",
  files: {
    "go.mod": "module example.test/calc\n\ngo 1.18\n",
    "calc.go": goAdd("a - b"),
    "calc_test.go":
      'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("1 + 2")\n\t}\n}\n',
  },
  needs: ["go"],
  plan: ['checks: ["go test ./..."]'],
  wrong: { "calc.go": goAdd("a * b") },
  right: { "calc.go": goAdd("a + b") },
};

const cAdd = (body: string): string => `int add(int a, int b) { return ${body}; }\n`;
const C: Fixture = {
  name: "a C library with make",
  files: {
    ".gitignore": "build/\n",
    Makefile:
      "test: build/check\n\t./build/check\n\nbuild/check: src/add.c tests/check.c\n\tmkdir -p build\n\tcc -o $@ $^\n",
    "src/add.c": cAdd("a - b"),
    "tests/check.c": "int add(int, int);\nint main(void) { return add(1, 2) != 3; }\n",
  },
  needs: ["make", "cc"],
  plan: ['checks: ["make test"]'],
  wrong: { "src/add.c": cAdd("a * b") },
  right: { "src/add.c": cAdd("a + b") },
};

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const CORE = { name: "core-lib", version: "1.0.0", type: "module", exports: "./index.js" };
const APP = {
  name: "app",
  version: "1.0.0",
  type: "module",
  dependencies: { "core-lib": "1.0.0" },
};
const WORKSPACE: Fixture = {
  name: "an npm workspace with a lock file",
  files: {
    ".gitignore": "node_modules/\n",
    "package.json": json({ name: "all", private: true, workspaces: ["packages/*"] }),
    "package-lock.json": json({
      name: "all",
      lockfileVersion: 3,
      requires: true,
      packages: {
        "": { name: "all", workspaces: ["packages/*"] },
        "node_modules/app": { resolved: "packages/app", link: true },
        "node_modules/core-lib": { resolved: "packages/core", link: true },
        "packages/app": { version: "1.0.0", dependencies: { "core-lib": "1.0.0" } },
        "packages/core": { name: "core-lib", version: "1.0.0" },
      },
    }),
    "packages/core/package.json": json(CORE),
    "packages/core/index.js": "export const add = (a, b) => a - b;\n",
    "packages/app/package.json": json({ ...APP, scripts: { test: "node --test" } }),
    "packages/app/app.test.js":
      'import { test } from "node:test";\nimport assert from "node:assert/strict";\nimport { add } from "core-lib";\n' +
      'test("adds", () => assert.equal(add(1, 2), 3));\n',
  },
  needs: ["npm"],
  plan: [
    'checks: ["npm test --workspaces --if-present"]',
    'workspace: { setup: ["npm ci --offline --no-audit --no-fund"] }',
  ],
  wrong: { "packages/core/index.js": ALSO_WRONG },
  right: { "packages/core/index.js": FIXED },
};

export const FIXTURES: readonly Fixture[] = [MOCHA, PYTHON(), TYPESCRIPT, GO, C, WORKSPACE];
