/** Arguments of the commands; those without one are plain text if text follows. */
const ARGUMENTS = {
  close: 'none',
  reopen: 'none',
  title: 'some',
  label: 'some',
  unlabel: 'some',
  assign: 'some',
  unassign: 'some',
  milestone: 'some',
  remove_milestone: 'none',
  lock: 'none',
  unlock: 'none',
  subscribe: 'none',
  unsubscribe: 'none',
  due: 'some',
  remove_due_date: 'none',
  confidential: 'none',
  draft: 'none',
  ready: 'none',
} as const;
export type QuickActionName = keyof typeof ARGUMENTS;

/** Changes of a comment's commands, mostly as the parameters of a PUT with the same effect. */
export interface CommandChanges {
  title?: string;
  state_event?: 'close' | 'reopen';
  /** All labels after the change. */
  labels?: string[];
  assignee_ids?: number[];
  /** 0 for none. */
  milestone_id?: number;
  /** @format date */
  due_date?: string | null;
  confidential?: boolean;
  discussion_locked?: boolean;
  /** Subscribes the author of the comment, or unsubscribes them. */
  subscription_event?: 'subscribe' | 'unsubscribe';
}

/** Outcome of a comment's commands. */
export interface CommandOutcome {
  changes: CommandChanges;
  /** One sentence per quick action, including those that could not be applied. */
  summary: string[];
}

/** Response to a comment of quick actions only. */
export interface CommandsResponse {
  commands_changes: CommandChanges;
  /**
   * One sentence per quick action, including those that could not be applied.
   * @example ["Closed this issue."]
   */
  summary: string[];
}

/** Result of a comment: its note, or null if it had nothing but commands. */
export interface Commented<T> {
  note: T | null;
  commands: CommandOutcome;
}

export const NO_COMMANDS: CommandOutcome = { changes: {}, summary: [] };

/** A command of a comment. */
export interface QuickAction {
  name: QuickActionName;
  /** Trimmed text after the name; can be empty. */
  argument: string;
}

/** A comment without its commands, and these in their order. */
interface ParsedComment {
  text: string;
  actions: QuickAction[];
}

/** Excess commands stay text. */
const MAX_ACTIONS = 100;
const MAX_NAMES = 100;

/**
 * Splits a comment into text and commands: lines that begin with `/` and a `known` name, in any
 * case, outside of fenced code and of quotes between `>>>` (indented code and quotes with `>` do
 * not begin with `/`). Takes linear time.
 */
export function parseQuickActions(
  body: string,
  known: ReadonlySet<QuickActionName>,
): ParsedComment {
  const actions: QuickAction[] = [];
  const blocks = new LiteralBlocks();
  const rest = body.split('\n').filter((line) => {
    const isLiteral = blocks.take(line);
    const action = isLiteral || actions.length === MAX_ACTIONS ? null : actionOf(line, known);
    if (action !== null) actions.push(action);
    return action === null;
  });
  return { text: actions.length === 0 ? body : withoutBlankEnds(rest), actions };
}

function actionOf(line: string, known: ReadonlySet<QuickActionName>): QuickAction | null {
  const [, written] = /^\/([a-z_]{1,20})(?=\s|$)/i.exec(line) ?? [];
  if (written === undefined) return null;
  const name = [...known].find((one) => one === written.toLowerCase());
  if (name === undefined) return null;
  const argument = line.slice(written.length + 1).trim();
  return argument !== '' && ARGUMENTS[name] === 'none' ? null : { name, argument };
}

/** Follows the blocks whose lines are no commands, from the first line on (CommonMark 0.31 §4.5). */
class LiteralBlocks {
  private fence: string | null = null;
  private isQuoted = false;

  /** Returns true if the next line opens, closes or is part of such a block. */
  take(line: string): boolean {
    const [, mark = null] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    const rest = mark === null ? '' : line.slice(line.indexOf(mark) + mark.length);
    if (this.fence !== null) {
      if (mark?.startsWith(this.fence) && rest.trim() === '') this.fence = null;
      return true;
    }
    if (mark !== null && !(mark.startsWith('`') && rest.includes('`'))) {
      this.fence = mark;
      return true;
    }
    if (line.trimEnd() === '>>>') this.isQuoted = !this.isQuoted;
    return this.isQuoted;
  }
}

function withoutBlankEnds(lines: readonly string[]): string {
  const isText = (line: string): boolean => line.trim() !== '';
  const first = lines.findIndex(isText);
  return first < 0 ? '' : lines.slice(first, lines.findLastIndex(isText) + 1).join('\n');
}

/**
 * The names in an argument such as `@ann me ~"two words" bug`, without `mark` and quotes, each
 * once; null for more names than one command can have.
 */
export function namesIn(argument: string, mark: '@' | '~' | '%'): string[] | null {
  const words = argument.match(/[@~%]?"[^"]+"|\S+/g) ?? [];
  const names = words.map((word) => nameOf(word, mark)).filter((name) => name !== '');
  const unique = [...new Set(names)];
  return unique.length > MAX_NAMES ? null : unique;
}

/** One name that can have blanks: `%"two words"`, `%two` or `two words`. */
export function nameOf(argument: string, mark: '@' | '~' | '%'): string {
  const bare = argument.startsWith(mark) ? argument.slice(1) : argument;
  const isQuoted = bare.length > 1 && bare.startsWith('"') && bare.endsWith('"');
  return (isQuoted ? bare.slice(1, -1) : bare).trim();
}
