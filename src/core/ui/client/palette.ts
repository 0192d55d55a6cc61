import Combobox from '@github/combobox-nav';

const PATH = '/search/palette';
/** Shorter texts find exact matches only. */
const MIN_LENGTH = 3;
const DELAY_MS = 150;
const PAGES = '.sidebar nav a[href]';
const ACTIONS = '#create-menu a[href], main a.btn[href*="/new"]';

interface Entry {
  label: string;
  href: string;
}

const isMac = navigator.userAgent.includes('Mac');
document
  .querySelector('.top-bar form.search')
  ?.insertAdjacentHTML('beforeend', `<kbd aria-hidden="true">${isMac ? '⌘' : 'Ctrl '}K</kbd>`);
document.addEventListener('keydown', (event) => {
  const isWanted = event.key.toLowerCase() === 'k' && (isMac ? event.metaKey : event.ctrlKey);
  if (!isWanted || event.altKey || event.shiftKey) return;
  event.preventDefault();
  if (document.querySelector('dialog[open]') === null) open();
});

/** Shows pages, actions and search results for what is typed. */
function open(): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'hotkeys palette';
  dialog.setAttribute('aria-label', 'Command palette');
  dialog.innerHTML = `<input placeholder="Search or jump to…" aria-label="Search or jump to" autocomplete="off" spellcheck="false" autofocus>
    <div role="listbox" aria-label="Results"><div></div><div></div><div></div></div><p role="status" class="sr-only"></p>`;
  const [input, list] = [part('input'), part('[role=listbox]')];
  const [jumps, found, everything] = [...list.children];
  const status = part('[role=status]');
  const combobox = new Combobox(input as HTMLInputElement, list, {
    tabInsertsSuggestions: false,
    firstOptionSelectionMode: 'selected',
  });
  let request = new AbortController();
  let timer: ReturnType<typeof setTimeout>;

  function part(selector: string): HTMLElement {
    return dialog.querySelector<HTMLElement>(selector) as HTMLElement;
  }

  function update(): void {
    const text = (input as HTMLInputElement).value.trim();
    const words = text.toLowerCase().split(/\s+/);
    const matches = ({ label }: Entry): boolean =>
      words.every((word) => label.toLowerCase().includes(word));
    jumps?.replaceChildren(
      ...groupOf('Go to', entriesOf(PAGES).filter(matches)),
      ...groupOf('Actions', actions().filter(matches)),
    );
    const all = { label: `Search for “${text}”`, href: `/search?${query('search', text)}` };
    everything?.replaceChildren(...groupOf('Search', text === '' ? [] : [all]));
    request.abort();
    clearTimeout(timer);
    if (text.length < MIN_LENGTH) found?.replaceChildren();
    else timer = setTimeout(() => void search(text), DELAY_MS);
    combobox.resetSelection();
  }

  /** Shows HTML of the server, whose texts are escaped. */
  async function search(text: string): Promise<void> {
    request = new AbortController();
    const { signal } = request;
    try {
      const response = await fetch(`${PATH}?${query('term', text)}`, { signal });
      const html = response.ok ? await response.text() : '';
      if (found === undefined || signal.aborted) return;
      found.innerHTML = html;
      const count = list.querySelectorAll('[role=option]').length;
      status.textContent = `${count} ${count === 1 ? 'result' : 'results'}`;
      combobox.resetSelection();
    } catch {
      // Typing on has ended the request, or the network is down: pages and actions are still there.
    }
  }

  dialog.addEventListener('close', () => {
    request.abort();
    clearTimeout(timer);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  combobox.start();
  // After the library's own, which clears the selection.
  input.addEventListener('input', update);
  update();
}

function query(name: string, value: string): string {
  return new URLSearchParams({ [name]: value }).toString();
}

function actions(): Entry[] {
  const issues = entriesOf(PAGES).find(({ href }) => href.endsWith('/-/issues'));
  const isSignedIn = document.getElementById('user-menu') !== null;
  const create = issues && isSignedIn ? [{ label: 'New issue', href: `${issues.href}/new` }] : [];
  const all = [...create, ...entriesOf(ACTIONS)];
  return all.filter(({ href }, at) => all.findIndex((other) => other.href === href) === at);
}

/** Without the counters beside the names. */
function entriesOf(selector: string): Entry[] {
  return [...document.querySelectorAll<HTMLAnchorElement>(selector)].map((link) => ({
    label: (link.querySelector('span') ?? link).textContent?.trim() ?? '',
    href: link.href,
  }));
}

function groupOf(label: string, entries: readonly Entry[]): HTMLElement[] {
  if (entries.length === 0) return [];
  const [group, heading] = [document.createElement('div'), document.createElement('div')];
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', label);
  heading.setAttribute('aria-hidden', 'true');
  heading.textContent = label;
  group.append(heading);
  for (const { label: text, href } of entries) {
    const option = document.createElement('a');
    option.setAttribute('role', 'option');
    option.href = href;
    option.textContent = text;
    group.append(option);
  }
  return [group];
}
