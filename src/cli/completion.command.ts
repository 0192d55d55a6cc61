import { Argument, type Command } from 'commander';
import type { RegisterCommand } from './cli.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** A command with what can follow it. */
interface Completable {
  /** The words before, without the program: `` or `backup create`. */
  path: string;
  words: { word: string; description: string }[];
}

/** `guildhall completion bash|zsh|fish` */
export const registerCompletion: RegisterCommand = (program, cli) => {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  $ guildhall completion bash > /etc/bash_completion.d/guildhall
  $ guildhall completion zsh > "\${fpath[1]}/_guildhall"
  $ guildhall completion fish > ~/.config/fish/completions/guildhall.fish`,
    )
    .action((shell: Shell) => {
      const script = SCRIPTS[shell](completables(program, ''));
      cli.print({ shell, script }, script.trimEnd());
    });
};

function completables(command: Command, path: string): Completable[] {
  const options = command.options.map(({ long, description }) => ({
    word: long ?? '',
    description,
  }));
  const commands = command.commands.map((inner) => ({
    word: inner.name(),
    description: inner.description(),
  }));
  const general = [
    { word: '--json', description: 'print results and errors as JSON' },
    { word: '--help', description: 'display help for command' },
  ];
  const words = [...commands, ...options, ...(path === '' ? [] : general)];
  const inner = command.commands.flatMap((one) =>
    completables(one, path === '' ? one.name() : `${path} ${one.name()}`),
  );
  return [{ path, words: words.filter(({ word }) => word !== '') }, ...inner];
}

const SCRIPTS: Record<Shell, (commands: readonly Completable[]) => string> = {
  bash: (commands) => `# Completion of guildhall for bash
_guildhall() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || path="\${path:+$path }$word"
  done
  local words=""
  while :; do
    case "$path" in
${commands.map(bashCase).join('\n')}
    esac
    [[ $path == *" "* ]] || break
    path="\${path% *}"
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _guildhall guildhall
`,
  zsh: (commands) => `#compdef guildhall
_guildhall() {
  # Not named path: zsh ties that to PATH.
  local at="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] || at="\${at:+$at }$word"
  done
  local -a found
  while :; do
    case "$at" in
${commands.map(zshCase).join('\n')}
    esac
    [[ $at == *" "* ]] || break
    at="\${at% *}"
  done
  (( $#found )) && _describe 'guildhall' found
  _files
}
compdef _guildhall guildhall
# Run from fpath, this file is the first call of the function that it defines.
if [[ $funcstack[1] == _guildhall ]]; then _guildhall; fi
`,
  fish: (commands) => `# Completion of guildhall for fish
function __guildhall_is_at
  set -l words (commandline -opc)
  set -e words[1]
  set -l at
  for word in $words
    string match -q -- '-*' $word; or set -a at $word
  end
  test "$at" = "$argv"
end
${commands.flatMap(fishLines).join('\n')}
`,
};

function bashCase({ path, words }: Completable): string {
  return `      '${path}') words='${words.map(({ word }) => word).join(' ')}'; break ;;`;
}

function zshCase({ path, words }: Completable): string {
  const items = words.map(({ word, description }) => quote(`${word}:${description}`));
  return `      '${path}') found=(${items.join(' ')}); break ;;`;
}

function fishLines({ path, words }: Completable): string[] {
  return words.map(({ word, description }) => {
    const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
    return `complete -c guildhall -n '${`__guildhall_is_at ${path}`.trimEnd()}' ${what} -d ${quote(description)}`;
  });
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
