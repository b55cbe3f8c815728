/** Programs a chain may use or install in place of a missing one: our own names, as data. */

/**
 * Programs that take the same arguments, ours to choose: the first found on the machine is used.
 */
export const SAME_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
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

/**
 * Packages of the system's own repositories by the command they bring; the names are ours, not the
 * error's.
 */
export const SYSTEM_PACKAGE: Readonly<Record<string, string>> = {
  git: "git",
  curl: "curl",
  wget: "wget",
  jq: "jq",
  make: "make",
  tar: "tar",
  unzip: "unzip",
  zip: "zip",
  rsync: "rsync",
  tree: "tree",
  rg: "ripgrep",
  python3: "python3",
  gcc: "gcc",
  cmake: "cmake",
  patch: "patch",
  file: "file",
  bc: "bc",
};
