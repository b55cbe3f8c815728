/**
 * The completion scripts that shells load: each calls `unstuck __complete` for the candidates and shows them.
 * Invariants: the call never writes to the terminal; names are inserted, never executed; file names are left to the
 * shell.
 */

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

const BASH = `# bash completion for unstuck
_unstuck() {
  local line name about
  local -a found=()
  COMPREPLY=()
  while IFS= read -r line; do
    found+=("$line")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ "\${found[0]:-}" == ":files" ]]; then
    compopt -o default 2>/dev/null
    return
  fi
  compopt -o nosort 2>/dev/null
  for line in "\${found[@]}"; do
    name="\${line%%$'\\t'*}"
    about="\${line#*$'\\t'}"
    # What a name is can only be shown in a list: a single name is inserted as it stands.
    if (( \${#found[@]} > 1 )) && [[ -n "$about" && "\${COMP_TYPE:-}" != 37 ]]; then
      COMPREPLY+=("$name  ($about)")
    else
      COMPREPLY+=("$name")
    fi
  done
}
complete -F _unstuck unstuck
`;

const ZSH = `#compdef unstuck
_unstuck() {
  local line
  local -a found names
  found=("\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${found[1]}" == ":files" ]]; then
    _files
    return
  fi
  for line in "\${found[@]}"; do
    [[ -n "$line" ]] && names+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe -V unstuck names
}
(( $+functions[compdef] )) || { autoload -U compinit && compinit }
compdef _unstuck unstuck
`;

const FISH = `# fish completion for unstuck
function __unstuck_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l found (command $program __complete -- $words "$word" 2>/dev/null)
    if test "$found[1]" = ":files"
        __fish_complete_path "$word"
    else
        printf '%s\\n' $found
    end
end
complete -c unstuck -f -k -a '(__unstuck_complete)'
`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
