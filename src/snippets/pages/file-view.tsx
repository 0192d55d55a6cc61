import type { VNode } from 'preact';
import { encodePath } from '../../core/http/encode-path.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { Card } from '../../core/ui/components/content.js';
import { SNIPPET_BRANCH } from '../snippet.presenter.js';
import type { ShownFile } from './shown-files.service.js';

interface FileViewProps {
  file: ShownFile;
  /** Address of the snippet. */
  path: string;
}

/** A file with its lines numbered by the style sheet, so that copying takes the text alone. */
export function FileView({ file, path }: FileViewProps): VNode {
  const raw = (
    <ButtonLink
      href={`${path}/raw/${SNIPPET_BRANCH}/${encodePath(file.path)}`}
      variant="outline"
      size="small"
    >
      Raw
    </ButtonLink>
  );
  return (
    <Card title={file.path} actions={raw} flush>
      {file.text === null ? (
        <p class="text-muted-foreground p-4">
          This file cannot be shown here: it is no text, or too long.
        </p>
      ) : (
        <Lines text={file.text} label={file.path} />
      )}
    </Card>
  );
}

const NUMBERED =
  '[counter-reset:line] *:block *:before:[counter-increment:line] *:before:content-[counter(line)] *:before:inline-block *:before:w-12 *:before:pr-4 *:before:text-right *:before:text-muted-foreground *:before:select-none';

function Lines({ text, label }: { text: string; label: string }): VNode {
  const lines = text.replace(/\n$/, '').split('\n');
  return (
    <pre
      class="overflow-x-auto py-3 text-[0.8125rem]/5"
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <code class={NUMBERED}>
        {lines.map((line, at) => (
          <span key={at}>{`${line}\n`}</span>
        ))}
      </code>
    </pre>
  );
}
