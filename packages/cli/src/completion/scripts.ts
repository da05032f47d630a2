/** With this line, the command tells the script to complete file names. */
export const filesMark = ':files';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The completion scripts for the shells. */
export const scripts: Readonly<Record<Shell, string>> = {
  // Bash also splits words at colons and equals signs, and replaces only the part after the last one.
  bash: `# unikorn completion for bash
_unikorn() {
  local line="\${COMP_LINE:0:COMP_POINT}" current answer value
  local -a words
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  current="\${words[\${#words[@]}-1]}"
  answer=$(unikorn __complete -- "\${words[@]:1}" 2>/dev/null)
  COMPREPLY=()
  if [[ "$answer" == "${filesMark}" ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$current")
    return
  fi
  local kept="\${current%"\${current##*[:=]}"}"
  while IFS=$'\\t' read -r value _; do
    [[ -n "$value" && "$value" == "$current"* ]] && COMPREPLY+=("\${value#"$kept"}")
  done <<< "$answer"
}
complete -F _unikorn unikorn
`,
  zsh: `#compdef unikorn
_unikorn() {
  local -a answer described
  local line tab=$'\\t'
  answer=("\${(@f)$(unikorn __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "$answer[1]" == "${filesMark}" ]]; then
    _files
    return
  fi
  for line in $answer; do
    described+=("\${\${line%%$tab*}//:/\\\\:}:\${line#*$tab}")
  done
  _describe unikorn described
}
if [[ "$funcstack[1]" == _unikorn ]]; then
  _unikorn "$@"
else
  compdef _unikorn unikorn
fi
`,
  fish: `# unikorn completion for fish
function __unikorn_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l current (commandline -ct)
  set -l answer (unikorn __complete -- $words "$current" 2>/dev/null)
  if test "$answer[1]" = "${filesMark}"
    __fish_complete_path "$current"
    return
  end
  printf '%s\\n' $answer
end
complete -c unikorn -f -a '(__unikorn_complete)'
`,
};
