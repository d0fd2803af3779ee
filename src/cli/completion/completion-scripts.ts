/** A command as shells complete it. */
export interface CompletedCommand {
  /** One or two words. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
}

/** The scripts by shell. Names and options consist of letters and hyphens, so only summaries need quotes. */
export const completionScripts = { bash, zsh, fish } as const;

const firstWords = (commands: readonly CompletedCommand[]): string[] => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')),
];
const secondWords = (commands: readonly CompletedCommand[], first: string): string[] =>
  commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(commands: readonly CompletedCommand[]): string {
  const groups = firstWords(commands).filter((first) => secondWords(commands, first).length > 0);
  return `_signalpost() {
  local word=\${COMP_WORDS[COMP_CWORD]} choices=''
  local first=\${COMP_WORDS[1]} both="\${COMP_WORDS[1]} \${COMP_WORDS[2]}"
  if [ "$COMP_CWORD" -eq 1 ]; then choices=${quoted(firstWords(commands).join(' '))}
  elif [ "\${word#-}" != "$word" ]; then
    case $both in
${commands.map(({ name, options }) => `      ${quoted(name)}${name.includes(' ') ? '' : `*`}) choices=${quoted(options.join(' '))} ;;`).join('\n')}
    esac
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case $first in
${groups.map((first) => `      ${first}) choices=${quoted(secondWords(commands, first).join(' '))} ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
}
complete -o default -F _signalpost signalpost
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  return `#compdef signalpost
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines: string[] = [];
  for (const first of firstWords(commands)) {
    const alone = commands.find(({ name }) => name === first);
    const about = alone?.summary ?? `${first}: ${secondWords(commands, first).join(', ')}`;
    lines.push(`complete -c signalpost -n __fish_use_subcommand -f -a ${first} -d ${quoted(about)}`);
  }
  for (const { name, summary, options } of commands) {
    const [first = '', second] = name.split(' ');
    const isFirst = `__fish_seen_subcommand_from ${first}`;
    if (second !== undefined)
      lines.push(`complete -c signalpost -n ${quoted(isFirst)} -f -a ${second} -d ${quoted(summary)}`);
    const condition = second === undefined ? isFirst : `${isFirst}; and __fish_seen_subcommand_from ${second}`;
    for (const option of options) lines.push(`complete -c signalpost -n ${quoted(condition)} -l ${option.slice(2)}`);
  }
  return `${lines.join('\n')}\n`;
}
