import type { ComponentChildren, VNode } from 'preact';
import { controlAttributes, Field, fieldAndRest, type FieldProps } from './field.js';
import { Icon } from './icon.js';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      /** Element of @github/markdown-toolbar-element: its buttons change the field with the ID `for`. */
      'markdown-toolbar': {
        for: string;
        role: 'toolbar';
        'aria-label': string;
        children: VNode[];
      };
    }
  }
}

interface TextFieldProps extends FieldProps {
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date' | 'datetime-local' | 'search';
  value?: string | number | null | undefined;
  autocomplete?: string;
  minLength?: number;
  maxLength?: number;
  min?: number | string;
  max?: number | string;
  pattern?: string;
  placeholder?: string;
  autofocus?: boolean;
  readOnly?: boolean;
  /** ID of a `<datalist>` with suggestions. */
  list?: string;
  /** Address of suggestions while typing. */
  source?: string | undefined;
  /** Several values with commas between, each with suggestions. */
  isList?: boolean | undefined;
}

/** One line of text; a password is never sent back. */
export function TextField(props: TextFieldProps): VNode {
  const { type = 'text', value, source, isList, ...others } = props;
  const [field, rest] = fieldAndRest(others);
  const shown = type === 'password' ? {} : { value: value ?? '' };
  // Labels of filters are hidden where there is one line for all of them.
  const placeholder = props.placeholder ?? (props.bare === true ? props.label : undefined);
  // Types of elements know one form per type of input.
  const attributes: object = {
    type,
    ...shown,
    ...rest,
    ...(source !== undefined && {
      'data-source': source,
      'data-list': isList,
      autocomplete: 'off',
    }),
    placeholder,
    ...controlAttributes(field),
  };
  return (
    <Field {...field}>
      {source === undefined ? (
        <input class="control" {...attributes} />
      ) : (
        <span class="suggesting">
          <input class="control" {...attributes} />
        </span>
      )}
    </Field>
  );
}

interface TextAreaProps extends FieldProps {
  value?: string | null | undefined;
  rows?: number;
  maxLength?: number;
  placeholder?: string;
  /** For code: fixed width, no spelling marks. */
  code?: boolean;
  /** For Markdown: with buttons that format and preview. */
  markdown?: boolean;
  /** Addresses of suggestions by the mark that asks for them: `@`, `#`, `!`, `~`. */
  marks?: Readonly<Record<string, string>> | undefined;
}

/** Several lines of text. */
export function TextArea(props: TextAreaProps): VNode {
  const { value, rows = 4, code, markdown, marks, ...rest } = props;
  const [field, attributes] = fieldAndRest(rest);
  const control = controlAttributes(field);
  return (
    <Field {...field}>
      {markdown === true && <MarkdownToolbar field={control.id} />}
      <textarea
        class={code === true ? 'control font-mono' : 'control'}
        rows={rows}
        spellcheck={code !== true}
        data-marks={marks && JSON.stringify(marks)}
        {...attributes}
        {...control}
      >
        {/* Browsers drop the first line break of the content. */ `\n${value ?? ''}`}
      </textarea>
      {markdown === true && <MarkdownPreview field={control.id} />}
    </Field>
  );
}

/** Styles of the element by the name of their button. */
const MARKDOWN_BUTTONS = [
  { style: 'bold', label: 'Bold', icon: 'bold' },
  { style: 'italic', label: 'Italic', icon: 'italic' },
  { style: 'code', label: 'Code', icon: 'code' },
  { style: 'link', label: 'Link', icon: 'link' },
  { style: 'quote', label: 'Quote', icon: 'text-quote' },
  { style: 'unordered-list', label: 'Bulleted list', icon: 'list' },
  { style: 'ordered-list', label: 'Numbered list', icon: 'list-ordered' },
  { style: 'task-list', label: 'Task list', icon: 'list-todo' },
] as const;

/** Formats a field with Markdown and previews it; not shown without a script. */
function MarkdownToolbar({ field }: { field: string }): VNode {
  const buttons = MARKDOWN_BUTTONS.map(({ style, label, icon }) => (
    <button key={style} type="button" data-md-button={style} title={label} aria-label={label}>
      <Icon name={icon} />
    </button>
  ));
  return (
    <markdown-toolbar for={field} role="toolbar" aria-label="Formatting">
      {[
        ...buttons,
        <button key="preview" type="button" data-preview={field} aria-pressed="false">
          Preview
        </button>,
      ]}
    </markdown-toolbar>
  );
}

/** Takes the place of the field while it is previewed. */
function MarkdownPreview({ field }: { field: string }): VNode {
  return <div class="preview" id={`${field}-preview`} role="region" aria-label="Preview" hidden />;
}

interface SuggestionProps {
  /** Text that completes the field. */
  value: string;
  detail?: string;
  children: ComponentChildren;
}

/** One of the completions of a field (`data-source`, `data-marks`). */
export function Suggestion({ value, detail = '', children }: SuggestionProps): VNode {
  return (
    <li role="option" data-value={value}>
      {children}
      {detail !== '' && <small>{detail}</small>}
    </li>
  );
}

/** Kinds of suggestions of a project. */
type SuggestionKind = 'branches' | 'issues' | 'labels' | 'merge_requests' | 'milestones' | 'users';

/**
 * Returns the address of suggestions for a page of a project; undefined elsewhere. With `any` they
 * begin with "None" and "Any", for filters.
 */
export function suggestionsOf(
  page: string,
  kind: SuggestionKind,
  { any = false } = {},
): string | undefined {
  const end = page.indexOf('/-/');
  if (end < 1 || page.startsWith('/groups/')) return undefined;
  return `${page.slice(0, end)}/-/suggestions/${kind}${any ? '?any=1' : ''}`;
}

/** Returns the addresses of suggestions by the mark that asks for them in a text. */
export function suggestionMarks(page: string): Record<string, string> | undefined {
  const kinds = { '@': 'users', '#': 'issues', '!': 'merge_requests', '~': 'labels' } as const;
  const marks = Object.entries(kinds).flatMap(([mark, kind]) => {
    const address = suggestionsOf(page, kind);
    return address === undefined ? [] : [[mark, address] as const];
  });
  return marks.length === 0 ? undefined : Object.fromEntries(marks);
}
