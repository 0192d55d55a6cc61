import { install } from '@github/hotkey';
import { store, stored } from './storage.js';

/** Pages that `g` and a letter lead to, by the paths of their links in the navigation. */
const PLACES: readonly [key: string, label: string, path: RegExp][] = [
  ['g h', 'Go to home', /^\/$/],
  ['g p', 'Go to your projects', /^\/dashboard\/projects$/],
  ['g r', 'Go to your groups', /^\/dashboard\/groups$/],
  ['g v', 'Go to activity', /\/activity$/],
  ['g f', 'Go to files', /\/-\/tree(?:\/|$)/],
  ['g c', 'Go to commits', /\/-\/commits(?:\/|$)/],
  ['g b', 'Go to branches', /\/-\/branches$/],
  ['g m', 'Go to merge requests', /\/-\/merge_requests$/],
  ['g i', 'Go to issues', /\/-\/issues$/],
  ['g l', 'Go to milestones', /\/-\/milestones$/],
  ['g n', 'Go to incidents', /\/-\/incidents$/],
  ['g a', 'Go to alerts', /\/-\/alert_management$/],
  ['g e', 'Go to errors', /\/-\/error_tracking$/],
  ['g s', 'Go to snippets', /\/-\/snippets$/],
  ['g k', 'Go to environments', /\/-\/environments$/],
  ['g u', 'Go to members', /\/-\/(?:project|group)_members$/],
  ['g t', 'Go to to-dos', /^\/dashboard\/todos$/],
];
const SEARCH = '[role=search] input[type=search], main input[type=search]';
const CREATE = 'main a.btn[href$="/new"], main a.btn[href*="/new?"]';
const ROWS = 'main tbody > tr, main ul > li';
/** Key of the browser's storage: `off` for people who speak to their computer or hit keys by chance. */
const SETTING = 'hotkeys';

interface Hotkey {
  keys: string;
  label: string;
  element: HTMLElement;
}

const isOn = stored(SETTING) !== 'off';
const hotkeys = isOn ? hotkeysOfPage() : [];
for (const { element, keys } of hotkeys) install(element, keys);
install(action(showHelp), 'Shift+?,?');

function hotkeysOfPage(): Hotkey[] {
  const links = [
    ...document.querySelectorAll<HTMLAnchorElement>('nav a[href], a.brand, .top-bar a[href]'),
  ];
  const places = PLACES.map(([keys, label, path]): Partial<Hotkey> => {
    const element = links.find(({ pathname }) => path.test(pathname));
    return { keys, label, ...(element && { element }) };
  });
  const search = document.querySelector<HTMLElement>(SEARCH);
  const create = document.querySelector<HTMLElement>(CREATE);
  const inList = rows().length > 0;
  const all = [
    { keys: '/,Shift+/', label: 'Search', element: search },
    { keys: 'c', label: create?.textContent?.trim() ?? '', element: create },
    { keys: 'j', label: 'Next item of the list', element: inList && action(() => move(1)) },
    { keys: 'k', label: 'Previous item of the list', element: inList && action(() => move(-1)) },
    ...places,
  ];
  return all.filter((one): one is Hotkey => one.element instanceof HTMLElement);
}

/** The library clicks an element, which need not be in the page. */
function action(run: () => void): HTMLElement {
  const button = document.createElement('button');
  button.addEventListener('click', run);
  return button;
}

/** The first link of each item: Enter opens it. */
function rows(): HTMLAnchorElement[] {
  const items = [...document.querySelectorAll<HTMLElement>(ROWS)];
  return items
    .filter((item) => item.closest('nav') === null)
    .flatMap((item) => item.querySelector<HTMLAnchorElement>('a[href]:not(.btn)') ?? []);
}

function move(by: 1 | -1): void {
  // Not before: while a page loads, the question would lay it out once more.
  const links = rows().filter((link) => link.closest(ROWS)?.checkVisibility() === true);
  const current = document.activeElement?.closest(ROWS);
  const at = links.findIndex((link) => link.closest(ROWS) === current);
  const next = at === -1 && by === -1 ? -1 : at + by;
  links.at(Math.min(next, links.length - 1))?.focus();
}

function showHelp(): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'hotkeys';
  dialog.setAttribute('aria-labelledby', 'hotkeys-title');
  const heading = document.createElement('h2');
  heading.id = 'hotkeys-title';
  heading.textContent = 'Keyboard shortcuts';
  dialog.append(heading, hotkeyList(), setting());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function hotkeyList(): HTMLElement {
  const list = document.createElement('dl');
  const shown = [
    { keys: 'Ctrl K', label: 'Search or jump to a page' },
    ...hotkeys,
    { keys: '?', label: 'Show this list' },
  ];
  for (const { keys, label } of shown) {
    const [term, details] = [document.createElement('dt'), document.createElement('dd')];
    const [first = ''] = keys.split(',');
    for (const key of first.split(' ')) {
      const cap = document.createElement('kbd');
      cap.textContent = key;
      term.append(cap);
    }
    details.textContent = label;
    list.append(term, details);
  }
  return list;
}

function setting(): HTMLElement {
  const [label, box] = [document.createElement('label'), document.createElement('input')];
  box.type = 'checkbox';
  box.checked = isOn;
  box.addEventListener('change', () => {
    store(SETTING, box.checked ? 'on' : 'off');
    location.reload();
  });
  label.append(box, 'Use keyboard shortcuts');
  return label;
}
