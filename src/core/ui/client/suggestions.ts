import Combobox from '@github/combobox-nav';

const DELAY_MS = 120;

/** The part of a field that is being typed, and what may complete it. */
interface Token {
  start: number;
  end: number;
  /** Address of suggestions. */
  source: string;
  query: string;
  /** Text for a chosen value. */
  textOf: (value: string) => string;
}

type Control = HTMLInputElement | HTMLTextAreaElement;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) attach(target);
});

const attached = new WeakSet<Control>();

function attach(control: Control): void {
  const find = finderOf(control);
  if (find === null || attached.has(control)) return;
  attached.add(control);
  const list = document.createElement('ul');
  list.className = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  list.hidden = true;
  control.after(list);
  const combobox = new Combobox(control, list, {
    firstOptionSelectionMode: 'active',
    // Suggestions open on focus: in a form, Tab leads on and chooses nothing.
    tabInsertsSuggestions: control instanceof HTMLTextAreaElement,
  });
  keepTextBox(control);
  let token: Token | null = null;
  let latest = 0;
  const hide = (): void => {
    latest += 1;
    if (list.hidden) return;
    list.hidden = true;
    combobox.stop();
    keepTextBox(control);
  };
  const update = async (): Promise<void> => {
    const mine = (latest += 1);
    const found = find();
    const options = found && (await optionsOf(found, () => mine === latest));
    if (mine !== latest) return;
    if (!found || !options) return hide();
    token = found;
    list.innerHTML = options;
    list.hidden = false;
    combobox.stop();
    combobox.start();
    keepTextBox(control);
  };
  control.addEventListener('input', () => void update());
  control.addEventListener('focus', () => void update());
  control.addEventListener('blur', hide);
  control.addEventListener('suggestions:close', hide);
  control.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Escape' || list.hidden) return;
    event.stopPropagation();
    event.preventDefault();
    hide();
  });
  // The field keeps the focus.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('combobox-commit', ({ target }) => {
    const value = target instanceof HTMLElement ? target.dataset['value'] : undefined;
    if (value === undefined || token === null) return;
    choose(control, token, value);
    hide();
    if (value.endsWith(':')) void update();
  });
  void update();
}

/** A text area stays a text box, which cannot be a combobox or expanded (ARIA in HTML). */
function keepTextBox(control: Control): void {
  if (control instanceof HTMLInputElement) return;
  control.removeAttribute('role');
  control.removeAttribute('aria-expanded');
}

function choose(control: Control, { start, end, textOf }: Token, value: string): void {
  control.setRangeText(textOf(value), start, end, 'end');
  control.dispatchEvent(new Event('change', { bubbles: true }));
  if (!value.endsWith(':')) control.closest<HTMLFormElement>('form.filter-bar')?.requestSubmit();
}

/** Waits for a pause in typing first; null for none, and for an answer that comes too late. */
async function optionsOf(
  { source, query }: Token,
  isCurrent: () => boolean,
): Promise<string | null> {
  if (source.startsWith('<')) return source;
  await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
  if (!isCurrent()) return null;
  const address = new URL(source, location.href);
  address.searchParams.set('q', query);
  const response = await fetch(address).catch(() => null);
  const html = response?.ok ? (await response.text()).trim() : '';
  return html === '' ? null : html;
}

/** Returns what finds the typed part of a field; null for fields without suggestions. */
function finderOf(control: Control): (() => Token | null) | null {
  const { source, list, terms, marks } = control.dataset;
  if (source !== undefined) return () => valueToken(control, source, list !== undefined);
  if (terms !== undefined) return () => termToken(control, sourcesIn(terms));
  return marks === undefined ? null : () => markToken(control, sourcesIn(marks));
}

function sourcesIn(json: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(JSON.parse(json) as Record<string, string>));
}

/** The whole value, or the part between two commas. */
function valueToken(control: Control, source: string, isList: boolean): Token {
  const { value } = control;
  if (!isList) {
    return { start: 0, end: value.length, source, query: value, textOf: (chosen) => chosen };
  }
  const at = control.selectionStart ?? value.length;
  const start = value.lastIndexOf(',', at - 1) + 1;
  const comma = value.indexOf(',', at);
  const end = comma === -1 ? value.length : comma;
  const textOf = (chosen: string): string => (start === 0 ? '' : ' ') + chosen;
  return { start, end, source, query: value.slice(start, end).trim(), textOf };
}

/** `label:bu`, or the names of the terms before anything is typed. */
function termToken(control: Control, sources: ReadonlyMap<string, string>): Token | null {
  const end = control.selectionStart ?? 0;
  const typed = control.value.slice(0, end);
  const [, , name = '', query = ''] = /(^|\s)(\w+):"?([^\s"]*)$/.exec(typed) ?? [];
  const source = sources.get(name);
  if (source !== undefined) {
    return { start: end - query.length, end, source, query, textOf: quoted };
  }
  const word = typed.slice(typed.lastIndexOf(' ') + 1);
  const names = [...sources.keys()].filter((one) => one.startsWith(word.toLowerCase()));
  if (names.length === 0 || (word === '' && typed !== '')) return null;
  const options = names.map((one) => `<li role="option" data-value="${one}:">${one}:</li>`);
  return { start: end - word.length, end, source: options.join(''), query: '', textOf: String };
}

/** `@ja`, `#12`, `!3`, `~bug` in a text. */
function markToken(control: Control, sources: ReadonlyMap<string, string>): Token | null {
  const end = control.selectionStart ?? 0;
  const typed = control.value.slice(0, end);
  const [, mark = '', query = ''] = /(?:^|[\s(])([@#!~%])([\w./-]*)$/.exec(typed) ?? [];
  const source = sources.get(mark);
  if (source === undefined) return null;
  const textOf = (chosen: string): string => `${quoted(chosen)} `;
  return { start: end - query.length, end, source, query, textOf };
}

function quoted(text: string): string {
  return /\s/.test(text) ? `"${text}"` : text;
}
