/**
 * The recovery chains of command_not_found and tool_not_found, with the programs that may be used or installed instead
 * of a missing one, as our own data.
 */
import { commandOf, guidance, named, namedOr, shellStep, toolStep } from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";
import { operand, sh } from "../shell-script.ts";
import { archiveUrl, type Repository } from "../web-address.ts";
import { nearestName } from "../../validate/nearest-name.ts";
import { withinSandbox } from "../sandbox-path.ts";

/** Programs that accept the same arguments, chosen by us; the first one found on the machine is used. */
const SAME_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  python: ["python3"],
  python3: ["python"],
  pip: ["pip3", "python3 -m pip"],
  pip3: ["pip", "python3 -m pip"],
  node: ["nodejs"],
  nodejs: ["node"],
  docker: ["podman"],
  podman: ["docker"],
  gradle: ["./gradlew"],
  mvn: ["./mvnw"],
  vim: ["vi"],
  gmake: ["make"],
  gcc: ["cc", "clang"],
  cc: ["gcc", "clang"],
  "g++": ["c++", "clang++"],
  gawk: ["awk"],
  gsed: ["sed"],
};

/** Commands provided by a package of the same name; the names are ours, not the error's. */
const PACKAGED: ReadonlySet<string> = new Set(
  "git curl wget jq make tar unzip zip rsync tree python3 gcc cmake patch file bc".split(" "),
);

const wantsClone = ({ values }: RepairFacts): Repository | undefined =>
  values.missingCommand === "git" ? values.repository : undefined;

function cloneWithoutGit(repository: Repository, facts: RepairFacts): readonly StepDraft[] {
  const { name, branch, owner } = repository;
  const archive = `${name}.tar.gz`;
  const folder = `./${name}-${branch.replaceAll("/", "-")}`;
  const verify = "Verify the unpacked files";
  const verified = "The listing shows the files of the repository";
  return [
    shellStep(
      `Download the source archive of ${named(`${owner}/${name}`)}`,
      sh`curl -fL ${archiveUrl(repository)} -o ${archive}`,
      `${named(archive)} exists`,
    ),
    shellStep("Unpack the archive", sh`tar -xzf ${archive}`, `${named(folder)} holds the files`),
    facts.has("read_dir")
      ? toolStep("read_dir", verify, { dir: folder }, verified)
      : shellStep(verify, sh`ls -la -- ${folder}`, verified),
  ];
}

function alternative(facts: RepairFacts): readonly StepDraft[] {
  const { values } = facts;
  const { missingCommand: missing, words = [] } = values;
  const repository = wantsClone(facts);
  if (repository !== undefined) return cloneWithoutGit(repository, facts);
  if (missing === undefined) return [];
  const others = Object.hasOwn(SAME_ARGUMENTS, missing) ? SAME_ARGUMENTS[missing] : undefined;
  if (others === undefined || words[0] !== missing) return inProjectFolders(facts, missing);
  const choices = others.map((other) => {
    const [first = other] = other.split(" ");
    return `if command -v ${first} >/dev/null 2>&1; then ${other}${sh` ${words.slice(1)}`}; exit; fi`;
  });
  return [
    shellStep(
      `Run ${others.map(named).join(" or ")} instead of ${named(missing)} with the same arguments`,
      `${choices.join("\n")}\nexit 127`,
      "The command ends with exit code 0",
    ),
  ];
}

/** Tools that a project installs for itself are seldom on the search path. */
function inProjectFolders({ values }: RepairFacts, missing: string): readonly StepDraft[] {
  const folders = ["", "/node_modules/.bin", "/.venv/bin", "/venv/bin", "/vendor/bin", "/bin"];
  const places = folders.map((folder) => `.${folder}/${missing}`);
  const look = shellStep(
    `Look for ${named(missing)} in the project's own folders`,
    sh`ls -d -- ${places} 2>/dev/null | grep .`,
    "At least one path is printed",
  );
  if (values.command === undefined) return [look];
  const searchPath = folders.map((folder) => `$PWD${folder}`).join(":");
  const rerun = shellStep(
    `Run ${commandOf(values)} with those folders on the search path`,
    `PATH="$PATH:${searchPath}" ${sh`bash -c ${values.command}`}`,
    "The command is found and ends with exit code 0",
  );
  return [look, rerun];
}

function installation({ values, platform, manifestNames }: RepairFacts): readonly StepDraft[] {
  const name = values.missingCommand;
  if (name === undefined || platform === "win32") return [];
  const install = (what: string, script: string): StepDraft =>
    shellStep(`Install ${what}`, script, "The package manager reports success", "install");
  const check = (script: string): StepDraft =>
    shellStep(`Check that ${named(name)} is there now`, script, "A path is printed");
  if (name === "rg" || PACKAGED.has(name)) {
    const systemPackage = name === "rg" ? "ripgrep" : name;
    const script = systemInstall(systemPackage, platform);
    return [
      install(`the system package ${named(systemPackage)}`, script),
      check(sh`command -v ${name}`),
    ];
  }
  if (!manifestNames.includes(name)) return [];
  const [inNode, inPython] = [`./node_modules/.bin/${name}`, `./.venv/bin/${name}`];
  return [
    install(`what the project's manifest names, ${named(name)} among it`, MANIFEST_INSTALL),
    check(sh`command -v ${name} || ls ${inNode} 2>/dev/null || ls ${inPython}`),
  ];
}

const systemInstall = (systemPackage: string, platform: string): string =>
  platform === "darwin"
    ? sh`brew install ${systemPackage}`
    : [
        sh`if command -v apt-get >/dev/null 2>&1; then apt-get update && apt-get install -y ${systemPackage}`,
        sh`elif command -v apk >/dev/null 2>&1; then apk add --no-cache ${systemPackage}`,
        sh`elif command -v dnf >/dev/null 2>&1; then dnf install -y ${systemPackage}`,
        "else exit 1; fi",
      ].join("\n");

/** Installs only what the lock file or manifest names: no name from the error reaches the installer. */
export const MANIFEST_INSTALL = `if [ -f package-lock.json ]; then npm ci
elif [ -f package.json ]; then npm install
elif [ -f requirements.txt ]; then python3 -m pip install -r requirements.txt
elif [ -f Gemfile ]; then bundle install
elif [ -f Cargo.toml ]; then cargo fetch
elif [ -f go.mod ]; then go mod download
else exit 1; fi`;

export const commandNotFound: Chain = {
  rows: [
    {
      name: "alternative_command",
      confidence: 0.9,
      tools: ["run_bash"],
      needs: "the name of the missing command",
      steps: alternative,
      variant: (facts) => (wantsClone(facts) === undefined ? undefined : "curl_tar"),
    },
    {
      name: "manual_installation",
      confidence: 0.6,
      tools: ["run_bash"],
      needs: "a command that a known package or the project's manifest brings",
      steps: installation,
    },
  ],
  askConfidence: 0.9,
  questions: (values) => {
    const missing = namedOr(values.missingCommand, "the missing command");
    return [
      `Can you install ${missing} on this machine?`,
      `If not: what may be used instead of ${missing} for ${commandOf(values)}?`,
    ];
  },
};

const asked = (toolName: string | undefined): string => namedOr(toolName, "the missing tool");

const fileOf = ({ values, sandboxRoot }: RepairFacts): string | undefined =>
  withinSandbox(sandboxRoot, values.path);

function similarTool(facts: RepairFacts): readonly StepDraft[] {
  const { toolName } = facts.values;
  const nearest = toolName === undefined ? undefined : nearestName(toolName, facts.toolNames);
  if (nearest !== undefined)
    return [
      guidance(
        `Repeat the call with the available tool ${named(nearest)} in place of ${asked(toolName)}`,
        `${named(nearest)} returns a result`,
        { tool: nearest },
      ),
    ];
  const file = fileOf(facts);
  const action = `Read what is needed with read_file instead of calling ${asked(toolName)}`;
  const expectedOutcome = "The content of the file";
  return [
    toolStep(
      "read_dir",
      `List the folder with read_dir instead of calling ${asked(toolName)}`,
      { dir: facts.sandboxRoot },
      "The listing shows which files there are",
    ),
    file === undefined
      ? guidance(action, expectedOutcome)
      : toolStep("read_file", action, { file }, expectedOutcome),
  ];
}

function basicCommands(facts: RepairFacts): readonly StepDraft[] {
  const file = fileOf(facts);
  const list = shellStep(
    `Do what ${asked(facts.values.toolName)} was meant for with shell commands: list the files first`,
    sh`cd -- ${facts.sandboxRoot} && find . -maxdepth 2 -not -path ${"./.git/*"} | head -n 200`,
    "A list of files and folders",
  );
  if (file === undefined) return [list];
  const script = sh`head -c 20000 -- ${operand(file)}`;
  return [list, shellStep(`Read ${named(file)}`, script, "The beginning of the file")];
}

export const toolNotFound: Chain = {
  rows: [
    {
      name: "use_available_alternative",
      confidence: 0.8,
      tools: ["read_dir", "read_file", "run_bash"],
      steps: similarTool,
    },
    {
      name: "decompose_into_basic_tools",
      confidence: 0.7,
      tools: ["run_bash"],
      steps: basicCommands,
    },
  ],
  askConfidence: 0.6,
  questions: ({ toolName }) => [
    `Can you add ${asked(toolName)} to the tools this agent may use?`,
    `If not: which of the available tools should do the work of ${asked(toolName)}?`,
  ],
};
