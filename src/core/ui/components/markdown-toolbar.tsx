import type { VNode } from 'preact';
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

/** Styles of the element by the name of their button. */
const BUTTONS = [
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
export function MarkdownToolbar({ field }: { field: string }): VNode {
  const buttons = BUTTONS.map(({ style, label, icon }) => (
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
export function MarkdownPreview({ field }: { field: string }): VNode {
  return <div class="preview" id={`${field}-preview`} role="region" aria-label="Preview" hidden />;
}
