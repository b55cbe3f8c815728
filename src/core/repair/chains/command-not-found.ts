/** Recovery chain of command_not_found (seeds/2, 1). */
import { commandOf, named, shellStep } from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";
import { SAME_ARGUMENTS, SYSTEM_PACKAGE } from "../programs.ts";
import { sh } from "../shell-script.ts";
import { archiveUrl } from "../web-address.ts";
import type { Repository } from "../web-address.ts";

const wantsClone = ({ values }: RepairFacts): Repository | undefined =>
  values.missingCommand === "git" ? values.repository : undefined;

function cloneWithoutGit(repository: Repository, facts: RepairFacts): readonly StepDraft[] {
  const { name, branch, owner } = repository;
  const archive = `${name}.tar.gz`;
  const folder = `./${name}-${branch.replaceAll("/", "-")}`;
  const verified = "The listing shows the files of the repository";
  return [
    shellStep(
      `Download the source archive of ${named(`${owner}/${name}`)}`,
      sh`curl -fL ${archiveUrl(repository)} -o ${archive}`,
      `${named(archive)} exists`,
    ),
    shellStep("Unpack the archive", sh`tar -xzf ${archive}`, `${named(folder)} holds the files`),
    facts.has("read_dir")
      ? {
          action: "Verify the unpacked files",
          tool: "read_dir",
          args: { dir: folder },
          expectedOutcome: verified,
        }
      : shellStep("Verify the unpacked files", sh`ls -la -- ${folder}`, verified),
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

/** Tools a project installs for itself are seldom on the search path. */
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
  const systemPackage = Object.hasOwn(SYSTEM_PACKAGE, name) ? SYSTEM_PACKAGE[name] : undefined;
  const action = `Check that ${named(name)} is there now`;
  const printed = "A path is printed";
  if (systemPackage !== undefined)
    return [
      systemInstall(systemPackage, platform),
      shellStep(action, sh`command -v ${name}`, printed),
    ];
  const [inNode, inPython] = [`./node_modules/.bin/${name}`, `./.venv/bin/${name}`];
  const look = sh`command -v ${name} || ls ${inNode} 2>/dev/null || ls ${inPython}`;
  return manifestNames.includes(name)
    ? [manifestInstall(name), shellStep(action, look, printed)]
    : [];
}

function systemInstall(systemPackage: string, platform: string): StepDraft {
  const script =
    platform === "darwin"
      ? sh`brew install ${systemPackage}`
      : [
          sh`if command -v apt-get >/dev/null 2>&1; then apt-get update && apt-get install -y ${systemPackage}`,
          sh`elif command -v apk >/dev/null 2>&1; then apk add --no-cache ${systemPackage}`,
          sh`elif command -v dnf >/dev/null 2>&1; then dnf install -y ${systemPackage}`,
          "else exit 1; fi",
        ].join("\n");
  return shellStep(
    `Install the system package ${named(systemPackage)}`,
    script,
    "The package manager reports success",
    "install",
  );
}

/**
 * Installs what the lock file or manifest names and nothing else: no name from the error reaches
 * the installer.
 */
function manifestInstall(name: string): StepDraft {
  const script = [
    "if [ -f package-lock.json ]; then npm ci",
    "elif [ -f package.json ]; then npm install",
    "elif [ -f requirements.txt ]; then python3 -m pip install -r requirements.txt",
    "elif [ -f Gemfile ]; then bundle install",
    "elif [ -f Cargo.toml ]; then cargo fetch",
    "elif [ -f go.mod ]; then go mod download",
    "else exit 1; fi",
  ].join("\n");
  return shellStep(
    `Install what the project's manifest names, ${named(name)} among it`,
    script,
    "The package manager reports success",
    "install",
  );
}

export const commandNotFound: Chain = {
  rows: [
    {
      name: "alternative_command",
      priority: 1,
      confidence: 0.9,
      tools: ["run_bash"],
      steps: alternative,
      variant: (facts) => (wantsClone(facts) === undefined ? undefined : "curl_tar"),
    },
    {
      name: "manual_installation",
      priority: 2,
      confidence: 0.6,
      tools: ["run_bash"],
      steps: installation,
    },
  ],
  ask: { priority: 3, confidence: 0.9 },
  questions: (values) => {
    const missing =
      values.missingCommand === undefined ? "the missing command" : named(values.missingCommand);
    return [
      `Can you install ${missing} on this machine?`,
      `If not: what may be used instead of ${missing} for ${commandOf(values)}?`,
    ];
  },
};
