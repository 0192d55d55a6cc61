// The script of the API reference, bundled to assets/api-reference.js by deploy/styles.js: remembers
// the language of the examples, marks the position on the page, and sends requests to this instance.
import { store, stored } from './storage.js';

const LANGUAGE = 'api-language';
const API = '/api/v4/';

/** A parameter of an operation and the field that asks for it. */
interface Field {
  location: string;
  name: string;
  control: HTMLInputElement | HTMLSelectElement;
}

rememberLanguage();
markPosition();
stayAtTarget();
addEventListener('hashchange', () => stayAtTarget());
const csrfToken =
  document.querySelector<HTMLInputElement>('input[name="authenticity_token"]')?.value ?? '';
for (const section of document.querySelectorAll<HTMLElement>('.operation[data-path]')) {
  if (section.dataset['path']?.startsWith(API) === true) offerRequest(section);
}

function rememberLanguage(): void {
  const known = stored(LANGUAGE);
  if (known !== null) document.querySelector<HTMLInputElement>(`#${CSS.escape(known)}`)?.click();
  document.querySelector('fieldset.languages')?.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) store(LANGUAGE, target.id);
  });
}

function markPosition(): void {
  const contents = document.querySelector<HTMLElement>('.on-page');
  if (contents === null) return;
  const links = new Map(
    [...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]),
  );
  const visible = new Set<Element>();
  const sections = [...document.querySelectorAll<HTMLElement>('.operation')];
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target);
        else visible.delete(target);
      }
      const first = sections.find((section) => visible.has(section));
      const current = links.get(first?.dataset['operation'] ?? '');
      if (current === undefined || current.hasAttribute('aria-current')) return;
      for (const link of links.values()) link.removeAttribute('aria-current');
      current.setAttribute('aria-current', 'true');
      // Only the list scrolls, never the page.
      const { offsetTop, offsetHeight } = current;
      const isOutside =
        offsetTop < contents.scrollTop ||
        offsetTop + offsetHeight > contents.scrollTop + contents.clientHeight;
      if (isOutside) contents.scrollTop = offsetTop - contents.clientHeight / 3;
    },
    { rootMargin: '-60px 0px -50% 0px' },
  );
  for (const section of sections) observer.observe(section);
  contents.addEventListener('click', ({ target }) => {
    const isLink = target instanceof Element && target.closest('a') !== null;
    if (isLink && contents.matches(':popover-open')) contents.hidePopover();
  });
}

/**
 * Operations are laid out when they come near the screen, which moves what a jump led to: scrolls
 * there again until it stays.
 */
function stayAtTarget(scrolls = 8): void {
  const target = document.getElementById(location.hash.slice(1));
  if (target === null || scrolls === 0) return;
  const before = target.getBoundingClientRect().top;
  requestAnimationFrame(() => {
    target.scrollIntoView();
    if (Math.abs(target.getBoundingClientRect().top - before) >= 1) stayAtTarget(scrolls - 1);
  });
}

function offerRequest(section: HTMLElement): void {
  const button = element('button', { type: 'button', className: 'btn', textContent: 'Try it' });
  button.dataset['variant'] = 'outline';
  button.dataset['size'] = 'small';
  button.setAttribute('aria-expanded', 'false');
  let form: HTMLElement | null = null;
  button.addEventListener('click', () => {
    if (form === null) {
      form = csrfToken === '' ? signInLink() : requestForm(section);
      section.querySelector('.endpoint')?.after(form);
    } else {
      form.hidden = !form.hidden;
    }
    button.setAttribute('aria-expanded', String(!form.hidden));
    form.querySelector<HTMLElement>('a, .control')?.focus();
  });
  section.querySelector('.endpoint')?.append(button);
}

function signInLink(): HTMLElement {
  const link = element('a', { href: '/users/sign_in', textContent: 'Sign in' });
  const note = element('p', { className: 'alert' });
  note.append(link, ' to send requests from this page.');
  return note;
}

function requestForm(section: HTMLElement): HTMLElement {
  const { method = 'get', body } = section.dataset;
  const isWrite = method !== 'get';
  const form = element('form', { className: 'card try-it' });
  const fields = fieldsOf(section, form);
  const text = body === undefined ? null : bodyField(section, form, body);
  if (isWrite) {
    const warning = element('p', {
      className: 'alert',
      textContent: 'This request changes data on this instance, with your permissions.',
    });
    warning.dataset['tone'] = 'alert';
    form.append(warning);
  }
  const send = element('button', {
    type: 'submit',
    className: 'btn',
    textContent: `Send ${method.toUpperCase()} request`,
  });
  send.dataset['variant'] = isWrite ? 'destructive' : 'primary';
  const result = element('div');
  result.setAttribute('role', 'status');
  form.append(send, result);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send.disabled = true;
    void request({ section, fields, body: text?.value ?? null })
      .then((parts) => result.replaceChildren(...parts))
      .catch((error: unknown) => result.replaceChildren(String(error)))
      .finally(() => (send.disabled = false));
  });
  return form;
}

/** Adds a field for each parameter in path and query. */
function fieldsOf(section: HTMLElement, form: HTMLElement): Field[] {
  const rows = [...section.querySelectorAll<HTMLElement>('tr[data-in]')];
  return rows.flatMap((row) => {
    const { in: location = '', name = '' } = row.dataset;
    if (location !== 'path' && location !== 'query') return [];
    const values = row.querySelector<HTMLElement>('[data-values]')?.dataset['values'];
    const control = values === undefined ? element('input') : choice(values.split(' '));
    control.className = 'control';
    control.required = location === 'path' || row.querySelector('small b') !== null;
    form.append(labelled(section, { name, control }));
    return [{ location, name, control }];
  });
}

function choice(values: string[]): HTMLSelectElement {
  const select = element('select');
  select.append(...['', ...values].map((value) => new Option(value, value)));
  return select;
}

function bodyField(section: HTMLElement, form: HTMLElement, body: string): HTMLTextAreaElement {
  const control = element('textarea', { className: 'control font-mono', value: body, rows: 6 });
  form.append(labelled(section, { name: 'JSON body', control }));
  return control;
}

function labelled(
  section: HTMLElement,
  { name, control }: { name: string; control: HTMLElement },
): HTMLElement {
  control.id = `try ${section.dataset['operation']} ${name}`.replace(/\W+/g, '-');
  const label = element('label', { htmlFor: control.id, textContent: name });
  const field = element('div', { className: 'field' });
  field.append(label, control);
  return field;
}

interface Sent {
  section: HTMLElement;
  fields: Field[];
  body: string | null;
}

/** Sends the request with the session's cookie; returns what to show of the response. */
async function request({ section, fields, body }: Sent): Promise<Node[]> {
  const { method = 'get' } = section.dataset;
  const path = addressOf(section, fields);
  const startedAt = performance.now();
  const response = await fetch(path, {
    method: method.toUpperCase(),
    mode: 'same-origin',
    credentials: 'same-origin',
    redirect: 'manual',
    headers: {
      ...(method !== 'get' && { 'X-CSRF-Token': csrfToken }),
      ...(body !== null && { 'Content-Type': 'application/json' }),
    },
    ...(body !== null && { body }),
  });
  const answer = await response.text();
  const milliseconds = Math.round(performance.now() - startedAt);
  const { status, statusText } = response;
  const line = element('p');
  line.append(
    `${status} ${statusText} in ${milliseconds} ms: `,
    element('code', { textContent: path }),
  );
  const pre = element('pre', { tabIndex: 0 });
  pre.append(element('code', { textContent: readable(answer) }));
  return answer === '' ? [line] : [line, pre];
}

/** The path below the API with its parameters filled in; it leads nowhere else. */
function addressOf(section: HTMLElement, fields: Field[]): string {
  let path = section.dataset['path'] ?? '';
  const query = new URLSearchParams();
  for (const { location, name, control } of fields) {
    const value = control.value.trim();
    if (location === 'path') {
      // Browsers resolve dots in paths, also encoded ones.
      if (/^\.{1,2}$/.test(value)) throw new Error(`"${name}" cannot be "${value}"`);
      path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    } else if (value !== '') {
      const values = name.endsWith('[]') ? value.split(',') : [value];
      for (const one of values) query.append(name, one.trim());
    }
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), properties);
}
