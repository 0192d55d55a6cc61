import type { VNode } from 'preact';
import type { FormProblems } from '../form-errors.js';
import { fieldId } from './field.js';

interface FormErrorsProps {
  errors?: FormProblems | null | undefined;
  /** Focuses the errors, so that the page scrolls to them; true by default. */
  focused?: boolean;
}

/** Everything that is wrong with a form, above it; each line leads to its field. */
export function FormErrors({ errors, focused = true }: FormErrorsProps): VNode | null {
  if (errors == null) return null;
  const lines = [
    ...errors.general.map((text) => ({ text, name: null })),
    ...Object.entries(errors.fields).flatMap(([name, texts]) =>
      texts.map((text) => ({ text, name })),
    ),
  ];
  if (lines.length === 0) return null;
  return (
    <div class="alert" role="alert" data-tone="alert" tabIndex={-1} autofocus={focused}>
      <p class="font-semibold">
        {lines.length === 1 ? 'There is a problem' : 'There are problems'}
      </p>
      <ul class="w-full">
        {lines.map(({ text, name }) => (
          <li key={text}>{name === null ? text : <a href={`#${fieldId(name)}`}>{text}</a>}</li>
        ))}
      </ul>
    </div>
  );
}
